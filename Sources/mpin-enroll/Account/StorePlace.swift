import MPin

/// Where the records of an account lie.
struct StorePlace {
    let directory: String
    let account: String
    var area = FileStore.Area.users

    /// The directory that they lie in.
    var areaDirectory: String { directory + (area == .users ? "/users" : "/staging") }

    /// The file that holds them.
    var records: String { areaDirectory + "/" + account + ".json" }

    var lock: String { directory + "/users/" + account + ".lock" }
}

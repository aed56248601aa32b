import Glibc
import MPin

/// Where the records of an account lie.
struct StoreLocation {
    let directory: String
    let account: String
    var area = FileStore.Area.users

    /// The directory that they lie in.
    var areaDirectory: String { directory + (area == .users ? "/users" : "/staging") }

    /// Whether that directory is there.
    var hasAreaDirectory: Bool { unsafe access(areaDirectory, F_OK) == 0 }

    /// The file that holds them.
    var records: String { areaDirectory + "/" + account + ".json" }

    var lock: String { directory + "/users/" + account + ".lock" }
}

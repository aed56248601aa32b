// SPDX-License-Identifier: Apache-2.0
import Glibc
import MPin

/// The paths of an account's records.
struct StoreLocation {
    let directory: String
    let account: String
    var area = FileStore.Area.users

    var areaDirectory: String { directory + (area == .users ? "/users" : "/staging") }

    /// Whether that directory exists, as far as this user can see.
    var hasAreaDirectory: Bool { unsafe access(areaDirectory, F_OK) == 0 || errno == EACCES }

    var records: String { areaDirectory + "/" + account + ".json" }

    var lock: String { directory + "/users/" + account + ".lock" }

    /// The lock that a program holds while it changes the enrollment of the account.
    var turn: String { directory + "/users/" + account + ".enrolling" }
}

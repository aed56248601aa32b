// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB

extension RegistrationEntry {
    static let columns = """
        id, number, user, device, state, ott, created, expires, delivered, failures, wrong, seen, revoked,
        revoker, reason, confirmed, userData, deviceKey
        """

    init(_ row: Row) throws {
        guard let state = State(rawValue: row["state"]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "unknown state of a registration")
        }
        self.state = state
        id = row["id"]
        number = row["number"]
        user = row["user"]
        device = row["device"]
        ott = (row["ott"] as Data?).map { Array($0) }
        created = row["created"]
        expires = row["expires"]
        delivered = row["delivered"]
        failures = row["failures"]
        (wrong, seen) = (row["wrong"], row["seen"])
        revoked = row["revoked"]
        revoker = row["revoker"]
        reason = row["reason"]
        confirmed = row["confirmed"]
        userData = row["userData"]
        deviceKey = (row["deviceKey"] as Data?).map { Array($0) }
    }
}

// SPDX-License-Identifier: Apache-2.0

extension RegistrationEntry {
    static let columns = """
        id, number, user_id, device, state, ott, created, expires, delivered, failures, wrong, seen, revoked,
        revoker, reason, confirmed, user_data, device_key
        """

    init(_ row: Row) throws {
        guard let state = try State(rawValue: row["state"]) else {
            throw ServerError.damaged("unknown state of a registration")
        }
        self.state = state
        id = try row["id"]
        number = try row["number"]
        user = try row["user_id"]
        device = try row["device"]
        ott = try row["ott"]
        created = try row["created"]
        expires = try row["expires"]
        delivered = try row["delivered"]
        failures = try row["failures"]
        (wrong, seen) = try (row["wrong"], row["seen"])
        revoked = try row["revoked"]
        revoker = try row["revoker"]
        reason = try row["reason"]
        confirmed = try row["confirmed"]
        userData = try row["user_data"]
        deviceKey = try row["device_key"]
    }
}

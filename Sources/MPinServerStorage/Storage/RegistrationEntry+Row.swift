// SPDX-License-Identifier: Apache-2.0

extension RegistrationEntry {
    static let columns = """
        id, number, user_id, device, state, ott, created, expires, delivered, failures, wrong, seen, revoked,
        revoker, reason, confirmed, user_data, device_key
        """

    init(_ row: Row) throws {
        guard let state = State(rawValue: row["state"]) else {
            throw ServerError.damaged("unknown state of a registration")
        }
        self.state = state
        id = row["id"]
        number = row["number"]
        user = row["user_id"]
        device = row["device"]
        ott = row["ott"]
        created = row["created"]
        expires = row["expires"]
        delivered = row["delivered"]
        failures = row["failures"]
        (wrong, seen) = (row["wrong"], row["seen"])
        revoked = row["revoked"]
        revoker = row["revoker"]
        reason = row["reason"]
        confirmed = row["confirmed"]
        userData = row["user_data"]
        deviceKey = row["device_key"]
    }
}

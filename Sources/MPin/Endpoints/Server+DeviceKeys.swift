// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension Server {
    /// Whether the server's settings allow this registration's logins to be signed by its device.
    func takesDirectLogins(of user: User) -> Bool {
        isServer(of: user) == true && settings.offers(.direct) && hasDirectURL
    }

    /// Whether the settings have a usable address for direct logins.
    private var hasDirectURL: Bool {
        do throws(MPinError) { _ = try url(.directURL) } catch { return false }
        return true
    }

    /// Whether a new registration can get a key and log in with it afterwards.
    var takesDeviceKeys: Bool {
        settings.offers(.deviceKey) && settings.offers(.direct) && settings.serverID != nil
            && hasDirectURL
    }

    /// Whether a registration without a key can get one at a login.
    @inline(never)
    func takesKey(of user: User) -> Bool { settings.offers(.deviceKey) && takesDirectLogins(of: user) }

    /// Makes sure that the settings have the addresses that an enrollment needs only after it has used up a code: that
    /// of the second authority and, if offered, that of logins with a device key.
    func requireEnrollmentAddresses(until deadline: Deadline) throws(MPinError) {
        do throws(MPinError) { try findEnrollmentAddresses() } catch {
            try refresh(until: deadline)
            try findEnrollmentAddresses()
        }
    }

    private func findEnrollmentAddresses() throws(MPinError) {
        _ = try url(.certivoxURL)
        if settings.offers(.deviceKey) && settings.offers(.direct) { _ = try url(.directURL) }
    }
}

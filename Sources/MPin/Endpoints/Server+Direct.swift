internal import MPinWire

extension Server {
    /// Whether the settings are those of a server that takes a registration's logins signed by its device.
    func takesDirectLogins(of user: User) -> Bool {
        isServer(of: user) == true && settings.offers("direct") && hasDirectURL
    }

    /// Whether the settings have an address for direct logins that can be used.
    private var hasDirectURL: Bool {
        do throws(MPinError) { _ = try url(.directURL) } catch { return false }
        return true
    }

    /// Whether a new registration can be given a key by which it can log in afterwards.
    var takesDeviceKeys: Bool {
        settings.offers("deviceKey") && settings.offers("direct") && settings.serverID != nil
            && hasDirectURL
    }

    /// Whether a registration without a key can be given one at a login.
    @inline(never)
    func takesKey(of user: User) -> Bool { settings.offers("deviceKey") && takesDirectLogins(of: user) }

    /// Makes sure that the settings have what an enrollment asks for only after it has used up a code: the address of the
    /// second authority, and of the logins by a device's key where they offer those.
    func requireEnrollmentAddresses(until deadline: Deadline) throws(MPinError) {
        do throws(MPinError) { try findEnrollmentAddresses() } catch {
            try refresh(until: deadline)
            try findEnrollmentAddresses()
        }
    }

    private func findEnrollmentAddresses() throws(MPinError) {
        _ = try url(.certivoxURL)
        if settings.offers("deviceKey") && settings.offers("direct") { _ = try url(.directURL) }
    }

    /// Logs in by the one request that the device has signed. It is never sent twice.
    func logInDirectly(_ message: DirectLoginRequest, until deadline: Deadline) throws(MPinError)
        -> AuthenticateResponse
    {
        try conclude(.directLogin, at: url(.directURL), message.encode(), until: deadline)
    }
}

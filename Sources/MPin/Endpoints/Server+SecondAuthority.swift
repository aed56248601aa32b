internal import MPinWire

extension Server {
    /// Where the address of a setting belongs to.
    ///
    /// At a socket there is only that one server, whatever address it says it has. Its second authority may be on another
    /// host all the same, which sees the second shares so that the server does not: then the server names an extension, and
    /// that one address is meant as it is written.
    func place(of setting: MemberName) -> Backend {
        guard setting == .certivoxURL, case .socket = backend.route, settings.offers("secondAuthority"),
            let address = settings.text(setting), let place = Backend(address)
        else { return backend }
        return place
    }
}

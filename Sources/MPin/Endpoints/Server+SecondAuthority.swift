// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension Server {
    /// The server to which a setting's address belongs.
    ///
    /// At a socket there is only one server, whatever address it names. Its second authority may still be on another
    /// host, which sees the second shares so that the server does not. The server then names an extension, and that one
    /// address is used as it is.
    func place(of setting: MemberName) -> Backend {
        guard setting == .certivoxURL, case .socket = backend.route, settings.offers(.secondAuthority),
            let address = settings.text(setting), let place = Backend(address)
        else { return backend }
        return place
    }
}

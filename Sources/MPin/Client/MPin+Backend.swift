internal import MPinWire

extension MPin {
    /// Chooses the server and reads its settings. When that fails, everything stays as it was.
    ///
    /// - Parameter address: `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
    /// - Throws: FLOW_ERROR for an address of another form; NETWORK_ERROR and the other statuses of a failed request.
    public mutating func setBackend(_ address: String) throws(MPinError) {
        guard let backend = Backend(address) else { throw MPin.badAddress }
        let transport = try HTTPTransport(backend: backend, options: options)
        let settings = try MPin.readSettings(backend, transport, deadline())
        self.backend = backend
        self.transport = transport
        self.settings = settings
    }

    /// Asks a server for its settings and keeps nothing.
    public func testBackend(_ address: String) throws(MPinError) {
        guard let backend = Backend(address) else { throw MPin.badAddress }
        _ = try MPin.readSettings(backend, HTTPTransport(backend: backend, options: options), deadline())
    }

    /// Chooses the server without asking it anything: a login may find the settings among what the last one left.
    package mutating func selectBackend(_ address: String) throws(MPinError) {
        guard let backend = Backend(address) else { throw MPin.badAddress }
        transport = try HTTPTransport(backend: backend, options: options)
        self.backend = backend
        settings = nil
    }

    /// A member of the server's settings as text, empty when it is missing or an object or array.
    public func clientParameter(_ name: String) -> String {
        settings?.parameter(name) ?? ""
    }

    /// The server, the connection to it and its settings.
    mutating func server(_ deadline: Deadline) throws(MPinError) -> Server {
        guard let backend, let transport else { throw MPinError(.flowError, "No server has been chosen.") }
        let settings: ClientSettings
        if let known = self.settings {
            settings = known
        } else {
            settings = try MPin.readSettings(backend, transport, deadline)
        }
        self.settings = settings
        return Server(backend: backend, transport: transport, settings: settings)
    }

    static func readSettings(
        _ backend: Backend, _ transport: HTTPTransport, _ deadline: Deadline
    ) throws(MPinError) -> ClientSettings {
        let url = backend.url(path: "/rps/clientSettings")
        let status = try transport.send("GET", url, deadline: deadline)
        guard status == 200 else {
            let (code, message) = RemoteCall.settings.failure(httpStatus: status)
            throw MPinError(code, message, httpStatus: status)
        }
        return try transport.read { body throws(WireError) in try ClientSettings.decode(body) }
    }

    private static var badAddress: MPinError {
        MPinError(.flowError, "A server's address is https://HOST or unix:/PATH.")
    }
}

package import MPinWire

extension MPin {
    /// Chooses the server and reads its settings. When that fails, everything stays as it was.
    ///
    /// - Parameters:
    ///   - address: `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
    ///   - rpsPrefix: the path below which the server's protocol lies, where it is not the usual one.
    /// - Throws: FLOW_ERROR for an address of another form; NETWORK_ERROR and the other statuses of a failed request.
    public mutating func setBackend(_ address: String, rpsPrefix: String = "rps") throws(MPinError) {
        let (backend, prefix) = try MPin.check(address, rpsPrefix)
        let transport = try HTTPTransport(backend: backend, options: options)
        let settings = try MPin.readSettings(backend, prefix, transport, deadline())
        self.backend = backend
        self.rpsPrefix = prefix
        self.transport = transport
        self.settings = settings
    }

    /// Asks a server for its settings and keeps nothing.
    public func testBackend(_ address: String, rpsPrefix: String = "rps") throws(MPinError) {
        let (backend, prefix) = try MPin.check(address, rpsPrefix)
        _ = try MPin.readSettings(backend, prefix, HTTPTransport(backend: backend, options: options), deadline())
    }

    /// Chooses the server without asking it anything: a login may find the settings among what the last one left.
    package mutating func selectBackend(_ address: String) throws(MPinError) {
        try selectBackend(Text(address))
    }

    /// The same from a text that is no string.
    package mutating func selectBackend(_ address: Text) throws(MPinError) {
        guard let backend = Backend(address) else { throw MPin.badAddress }
        transport = try HTTPTransport(backend: backend, options: options)
        self.backend = backend
        settings = nil
        rpsPrefix = MPin.standardPrefix
    }

    /// Chooses the server of a listed user, as it was when the user was registered, and reads its settings.
    package mutating func setBackend(of user: User) throws(MPinError) {
        try setBackend(user.backend, rpsPrefix: user.rpsPrefix ?? MPin.standardPrefix.string)
    }

    /// A member of the server's settings as text, empty when it is missing or an object or array.
    public func getClientParam(_ name: String) -> String {
        settings?.parameter(name) ?? ""
    }

    /// The server, the connection to it and its settings.
    mutating func server(_ deadline: Deadline) throws(MPinError) -> Server {
        guard let backend, let transport else { throw MPinError(.flowError, "No server has been chosen.") }
        let settings: ServerSettings
        if let known = self.settings {
            settings = known
        } else {
            settings = try MPin.readSettings(backend, rpsPrefix, transport, deadline)
        }
        self.settings = settings
        return Server(backend: backend, transport: transport, settings: settings)
    }

    static func readSettings(
        _ backend: Backend, _ rpsPrefix: Text, _ transport: HTTPTransport, _ deadline: Deadline
    ) throws(MPinError) -> ServerSettings {
        let url = backend.url(path: "/" + rpsPrefix + "/clientSettings")
        let status = try transport.send("GET", url, deadline: deadline)
        guard status == 200 else {
            let (code, message) = RemoteCall.settings.failure(httpStatus: status)
            throw MPinError(code, message, httpStatus: status)
        }
        return try transport.read { body throws(WireError) in try ServerSettings(body) }
    }

    static var standardPrefix: Text { "rps" }

    /// An address and a prefix in the form in which they are kept.
    private static func check(
        _ address: String, _ rpsPrefix: String
    ) throws(MPinError) -> (backend: Backend, rpsPrefix: Text) {
        guard let backend = Backend(address) else { throw MPin.badAddress }
        var prefix = Array(rpsPrefix.utf8)
        while prefix.last == UInt8(ascii: "/") { prefix.removeLast() }
        while prefix.first == UInt8(ascii: "/") { prefix.removeFirst() }
        let isPath = prefix.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard !prefix.isEmpty, prefix.count <= 64, isPath else {
            throw MPinError(.flowError, "The prefix of a server's protocol is a path.")
        }
        return (backend, Text(prefix))
    }

    private static var badAddress: MPinError {
        MPinError(.flowError, "A server's address is https://HOST or unix:/PATH.")
    }
}

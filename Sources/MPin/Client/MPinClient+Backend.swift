package import MPinWire

extension MPinClient {
    /// Chooses the server and reads its settings. When that fails, everything stays as it was.
    package mutating func setBackend(_ address: ByteText, rpsPrefix: ByteText) throws(MPinError) {
        let (backend, prefix) = try MPinClient.check(address, rpsPrefix)
        let transport = try HTTPTransport(backend: backend, options: options)
        server = try Server(backend, transport, prefix, until: deadline())
        self.backend = backend
        self.rpsPrefix = prefix
        self.transport = transport
    }

    /// Asks a server for its settings and keeps nothing.
    package func testBackend(_ address: ByteText, rpsPrefix: ByteText) throws(MPinError) {
        let (backend, prefix) = try MPinClient.check(address, rpsPrefix)
        _ = try Server(backend, HTTPTransport(backend: backend, options: options), prefix, until: deadline())
    }

    /// Asks a server for its settings, without a store, and keeps nothing.
    package static func test(_ address: ByteText, options: TransportOptions) throws(MPinError) {
        let (backend, prefix) = try check(address, standardPrefix)
        let transport = try HTTPTransport(backend: backend, options: options)
        _ = try Server(backend, transport, prefix, until: Deadline(millisecondsFromNow: options.timeoutMilliseconds))
    }

    /// Chooses the server without a request: a login may find the settings among what the last one left.
    package mutating func selectBackend(_ address: ByteText) throws(MPinError) {
        guard let backend = Backend(address) else { throw MPinClient.badAddress }
        transport = try HTTPTransport(backend: backend, options: options)
        self.backend = backend
        server = nil
        rpsPrefix = MPinClient.standardPrefix
    }

    /// Chooses the server of a listed user, as it was when the user was registered. Its settings are those that the
    /// user's last login left, and are read only where there are none.
    package mutating func setBackend(of user: User) throws(MPinError) {
        guard let backend = Backend(user.record.backend) else { throw MPinClient.badAddress }
        let transport = try HTTPTransport(backend: backend, options: options)
        let prefix = user.record.rpsPrefix ?? MPinClient.standardPrefix
        let kept = user.record.mpinID.map { CachedLogin.read(mpinID: $0, from: store).record }
        if let settings = kept?.settings {
            server = Server(backend, transport, prefix, cached: settings, day: kept?.settingsDay)
        } else {
            server = try Server(backend, transport, prefix, until: deadline())
        }
        (self.backend, self.transport, rpsPrefix) = (backend, transport, prefix)
    }

    /// What is known of the settings of the server in use.
    var settings: ClientSettings? { server?.settings }

    /// The server in use, with its settings, for a call that begins now.
    @inline(never)
    mutating func server(_ deadline: Deadline) throws(MPinError) -> Server {
        guard let backend, let transport else { throw MPinClient.noServer }
        if let server {
            server.beginCall()
            return server
        }
        let server = try Server(backend, transport, rpsPrefix, until: deadline)
        self.server = server
        return server
    }

    static var noServer: MPinError { MPinError(.flowError, "No server has been chosen: set the backend first.") }

    static var standardPrefix: ByteText { "rps" }

    /// An address and a prefix in the form in which they are kept.
    private static func check(
        _ address: ByteText, _ rpsPrefix: ByteText
    ) throws(MPinError) -> (backend: Backend, rpsPrefix: ByteText) {
        guard let backend = Backend(address) else { throw MPinClient.badAddress }
        var prefix = rpsPrefix.bytes
        while prefix.last == UInt8(ascii: "/") { prefix.removeLast() }
        while prefix.first == UInt8(ascii: "/") { prefix.removeFirst() }
        let isPath = prefix.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard !prefix.isEmpty, prefix.count <= 64, isPath else {
            throw MPinError(.flowError, "A server's protocol prefix must be a path.")
        }
        return (backend, ByteText(prefix))
    }

    private static var badAddress: MPinError {
        MPinError(.flowError, "A server's address must be https://HOST or unix:/PATH.")
    }
}

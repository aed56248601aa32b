// SPDX-License-Identifier: Apache-2.0
package import MPinWire

extension MPinClient {
    /// Chooses the server and reads its settings. If that fails, nothing changes.
    package mutating func setBackend(_ address: ByteText, rpsPrefix: ByteText) throws(MPinError) {
        let (backend, prefix) = try MPinClient.check(address, rpsPrefix)
        let transport = try HTTPTransport(backend: backend, options: options)
        server = try Server(backend, transport, prefix, until: deadline())
        self.backend = backend
        self.rpsPrefix = prefix
        self.transport = transport
    }

    /// Reads a server's settings and keeps nothing.
    package func testBackend(_ address: ByteText, rpsPrefix: ByteText) throws(MPinError) {
        let (backend, prefix) = try MPinClient.check(address, rpsPrefix)
        _ = try Server(backend, HTTPTransport(backend: backend, options: options), prefix, until: deadline())
    }

    /// Reads a server's settings without a store and keeps nothing.
    package static func test(_ address: ByteText, options: TransportOptions) throws(MPinError) {
        let (backend, prefix) = try check(address, standardPrefix)
        let transport = try HTTPTransport(backend: backend, options: options)
        _ = try Server(backend, transport, prefix, until: Deadline(millisecondsFromNow: options.timeoutMilliseconds))
    }

    /// Chooses the server without a request. A login may find the settings in the cache of an earlier login.
    package mutating func selectBackend(_ address: ByteText) throws(MPinError) {
        guard let backend = Backend(address) else { throw MPinClient.badAddress }
        transport = try HTTPTransport(backend: backend, options: options)
        self.backend = backend
        server = nil
        rpsPrefix = MPinClient.standardPrefix
    }

    /// Chooses the server of a listed user, as it was when the user registered. Its settings come from the cache of the
    /// user's last login, and are read only if they are not cached.
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

    /// The settings of the server in use, as far as they are known.
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

    /// Converts an address and a prefix to the form in which they are stored.
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

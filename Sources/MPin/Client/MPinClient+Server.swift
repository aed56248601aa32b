// SPDX-License-Identifier: Apache-2.0
package import MPinWire

extension MPinClient {
    /// Chooses the server and reads its settings. If that fails, nothing changes.
    ///
    /// - Parameters:
    ///   - address: `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
    ///   - rpsPrefix: the path of the server's protocol, if it is not the usual one.
    /// - Throws: FLOW_ERROR for an address of another form; NETWORK_ERROR and the other statuses of a failed request.
    ///
    /// Milagro: `SetBackend`
    public mutating func setBackend(_ address: String, rpsPrefix: String = "rps") throws(MPinError) {
        try setBackend(address, rpsPrefix, proven: [])
    }

    /// Chooses a server that has proven its key, which may have signed its certificate.
    package mutating func setBackend(_ server: ProvenServer) throws(MPinError) {
        try setBackend(server.address, MPinClient.standardPrefix.string, proven: server.key)
    }

    private mutating func setBackend(_ address: String, _ rpsPrefix: String, proven: [UInt8]) throws(MPinError) {
        let (backend, prefix) = try MPinClient.check(address, rpsPrefix)
        let former = provenKey
        provenKey = proven
        let transport: HTTPTransport
        do throws(MPinError) {
            transport = try self.transport(to: backend)
            server = try Server(backend, transport, prefix, until: deadline())
        } catch {
            provenKey = former
            throw hasDeviceKey(at: backend) ? error.withoutProof() : error
        }
        self.backend = backend
        self.rpsPrefix = prefix
        self.transport = transport
    }

    /// Whether the account has a registration with a device key at an address. In the staging area, also one in use.
    private func hasDeviceKey(at backend: Backend) -> Bool {
        var all = allUsers
        if store.area == .staging { do throws(MPinError) { all += try registrationsInUse() } catch {} }
        return all.contains { $0.hasDeviceKey && $0.record.backend == backend.address }
    }

    /// Reads a server's settings and keeps nothing.
    ///
    /// - Parameters:
    ///   - address: `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
    ///   - rpsPrefix: the path of the server's protocol, if it is not the usual one.
    /// - Throws: as ``setBackend(_:rpsPrefix:)``.
    ///
    /// Milagro: `TestBackend`
    public func testBackend(_ address: String, rpsPrefix: String = "rps") throws(MPinError) {
        _ = try MPinClient.connect(address, rpsPrefix: rpsPrefix, options, until: deadline())
    }

    /// Reads a server's settings without a store and keeps nothing.
    ///
    /// - Parameter server: the server at this address, if it has proven its key, which may have signed its certificate.
    package static func test(
        _ address: String, _ server: ProvenServer? = nil, options: TransportOptions
    ) throws(MPinError) {
        _ = try connect(address, options, serverKey: server?.key ?? [])
    }

    /// - Parameter deadline: nil for the time limit of the options.
    static func connect(
        _ address: String, rpsPrefix: String = "rps", _ options: TransportOptions, serverKey: [UInt8] = [],
        until deadline: Deadline? = nil
    ) throws(MPinError) -> Server {
        let (backend, prefix) = try check(address, rpsPrefix)
        return try Server(
            backend, HTTPTransport(backend: backend, options: options, serverKeys: serverKey), prefix,
            until: deadline ?? Deadline(millisecondsFromNow: options.timeoutMilliseconds))
    }

    /// Whether a server reports at its status socket that all its parts work.
    package static func isHealthy(atStatusSocket address: String, options: TransportOptions) throws(MPinError) -> Bool {
        guard let backend = Backend(address) else { throw MPinClient.badAddress }
        let transport = try HTTPTransport(backend: backend, options: options)
        let deadline = Deadline(millisecondsFromNow: options.timeoutMilliseconds)
        return try transport.status(of: backend.url(path: "/healthz"), until: deadline) == 200
    }

    /// Chooses the server of a listed user, as ``setBackend(of:)`` does. Cached settings without an extension may be
    /// older than the server, so they are read again.
    ///
    /// - Returns: whether the server names the extension.
    package mutating func setBackend(of user: User, needing needed: ProtocolExtension) throws(MPinError) -> Bool {
        try setBackend(of: user)
        if !offers(needed) { try server?.refresh(until: deadline()) }
        return offers(needed)
    }

    /// Chooses the server of a listed user, as it was when the user registered. Its settings come from the cache of the
    /// user's last login. Registrations with a device key cache none, so they are read.
    package mutating func setBackend(of user: User) throws(MPinError) {
        guard let backend = Backend(user.record.backend) else { throw MPinClient.badAddress }
        provenKey = []
        let transport = try transport(to: backend)
        let prefix = user.record.rpsPrefix ?? MPinClient.standardPrefix
        let kept = user.record.mpinID.map { CachedLogin.read(mpinID: $0, from: store).record }
        if let settings = kept?.settings {
            server = Server(
                backend, transport, prefix, cached: settings, day: kept?.settingsDay, staysAtAddress: user.hasDeviceKey)
        } else {
            server = try Server(backend, transport, prefix, staysAtAddress: user.hasDeviceKey, until: deadline())
        }
        (self.backend, self.transport, rpsPrefix) = (backend, transport, prefix)
    }

    /// Asks a service for its server and name, before a server is chosen.
    ///
    /// - Parameter url: `https://HOST[:PORT][/PATH]` or `unix:/PATH`; `#` and the rest, as in scanned addresses, is
    ///   ignored.
    /// - Throws: FLOW_ERROR for an address of another form; RESPONSE_PARSE_ERROR if the answer lacks a member or the
    ///   service is of an unknown kind; otherwise as for any request.
    ///
    /// Milagro: `GetServiceDetails`
    public func getServiceDetails(_ url: String) throws(MPinError) -> ServiceDetails {
        guard let backend = Backend(ByteText(Array(url.utf8.prefix { $0 != UInt8(ascii: "#") }))) else {
            throw MPinError(.flowError, "A service's address must be https://HOST or unix:/PATH.")
        }
        let transport = try HTTPTransport(backend: backend, options: options)
        let answer = try transport.serviceDescription(of: backend, until: deadline())
        return ServiceDetails(
            name: answer.name, backendURL: answer.url, rpsPrefix: answer.rpsPrefix, logoURL: answer.logoURL)
    }

    /// Adds the name that a platform gave this application to every further request.
    ///
    /// - Parameter clientID: printable ASCII.
    /// - Throws: FLOW_ERROR for anything that is not allowed in a header.
    ///
    /// Milagro: `SetClientId`
    public mutating func setClientID(_ clientID: String) throws(MPinError) {
        guard let header = HTTPHeader(name: "X-MIRACL-Client-ID" as ByteText, value: ByteText(clientID)) else {
            throw MPinError(.flowError, "A client ID must be printable ASCII.")
        }
        var options = options
        options.headers.removeAll { $0.nameText == header.nameText }
        options.headers.append(header)
        if let backend {
            let transport = try transport(to: backend, options)
            self.transport = transport
            server = server?.with(transport)
        }
        self.options = options
    }

    /// The settings of the server in use, as far as they are known.
    var settings: ClientSettings? { server?.settings }

    /// Whether the server in use names an extension of the protocol; false before its settings are known.
    package func offers(_ extension: ProtocolExtension) -> Bool { settings?.offers(`extension`) ?? false }

    package var isOverNetwork: Bool { if case .https = backend?.route { true } else { false } }

    /// Returns a member of the server's settings as text; empty if it is missing, or an object or array.
    ///
    /// - Parameter name: the name of the member.
    ///
    /// Milagro: `GetClientParam`
    public func getClientParam(_ name: String) -> String { settings?.parameter(name) ?? "" }

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

    /// Converts an address and a prefix to the form in which they are stored.
    static func check(
        _ address: String, _ rpsPrefix: String
    ) throws(MPinError) -> (backend: Backend, rpsPrefix: ByteText) {
        guard let backend = Backend(ByteText(address)) else { throw MPinClient.badAddress }
        var prefix = Array(rpsPrefix.utf8)
        while prefix.last == UInt8(ascii: "/") { prefix.removeLast() }
        while prefix.first == UInt8(ascii: "/") { prefix.removeFirst() }
        let isPath = prefix.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard !prefix.isEmpty, prefix.count <= 64, isPath else {
            throw MPinError(.flowError, "A server's protocol prefix must be a path.")
        }
        return (backend, ByteText(prefix))
    }
}

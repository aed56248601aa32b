internal import MPinWire

extension MPinClient {
    /// Asks a service for its server and name, before a server is chosen.
    ///
    /// - Parameter url: `https://HOST[:PORT][/PATH]` or `unix:/PATH`; a `#` and what follows it, as in scanned
    ///   addresses, is left out.
    /// - Throws: FLOW_ERROR for an address of another form; RESPONSE_PARSE_ERROR when the answer lacks a member or the
    ///   service is not of the kind that is known; else as for any request.
    public func getServiceDetails(_ url: String) throws(MPinError) -> ServiceDetails {
        let address = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard let backend = Backend(String(decoding: Array(address), as: UTF8.self)) else {
            throw MPinError(.flowError, "A service's address is https://HOST or unix:/PATH.")
        }
        let transport = try HTTPTransport(backend: backend, options: options)
        let answer = try transport.serviceDescription(of: backend, until: deadline())
        return ServiceDetails(
            name: answer.name, backendURL: answer.url, rpsPrefix: answer.rpsPrefix, logoURL: answer.logoURL)
    }

    /// Asks who waits behind an access number or scanned code.
    ///
    /// - Returns: what the server says; empty texts from a server that has no such thing.
    /// - Throws: FLOW_ERROR before a server has been chosen; else as for any request.
    public mutating func getSessionDetails(_ accessCode: String) throws(MPinError) -> SessionDetails {
        let deadline = deadline()
        let server = try server(deadline)
        guard let answer = try server.sessionDetails(of: ByteText(accessCode), until: deadline) else {
            return SessionDetails(prerollID: "", appName: "", appLogoURL: "", requester: nil)
        }
        return SessionDetails(
            prerollID: answer.prerollID, appName: answer.appName, appLogoURL: answer.appLogoURL,
            requester: answer.requester.map {
                SessionDetails.Requester(
                    isVerified: $0.isVerified, host: $0.host, account: $0.account, service: $0.service,
                    address: $0.address)
            })
    }

    /// Has every further request carry the name that a platform gave this application.
    ///
    /// - Throws: FLOW_ERROR for what cannot stand in a header.
    public mutating func setClientID(_ clientID: String) throws(MPinError) {
        guard let header = HTTPHeader(name: "X-MIRACL-Client-ID", value: clientID) else {
            throw MPinError(.flowError, "A client's ID is printable ASCII.")
        }
        var options = options
        options.headers.removeAll { $0.name.hasSameBytes(as: header.name) }
        options.headers.append(header)
        if let backend {
            let transport = try HTTPTransport(backend: backend, options: options)
            self.transport = transport
            server = server?.with(transport)
        }
        self.options = options
    }

    /// The version of this library.
    public static var version: String { "0.1.0" }
}

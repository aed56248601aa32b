// SPDX-License-Identifier: Apache-2.0
package import MPinWire

extension MPinClient {
    /// Asks a service for its server and name, before a server is chosen.
    package func getServiceDetails(_ url: ByteText) throws(MPinError) -> ServiceDetails {
        guard let backend = Backend(ByteText(Array(url.bytes.prefix { $0 != UInt8(ascii: "#") }))) else {
            throw MPinError(.flowError, "A service's address must be https://HOST or unix:/PATH.")
        }
        let transport = try HTTPTransport(backend: backend, options: options)
        let answer = try transport.serviceDescription(of: backend, until: deadline())
        return ServiceDetails(
            name: answer.name, backendURL: answer.url, rpsPrefix: answer.rpsPrefix, logoURL: answer.logoURL)
    }

    /// Returns who requests the login behind an access number or scanned code.
    package mutating func getSessionDetails(_ accessCode: ByteText) throws(MPinError) -> SessionDetails {
        let deadline = deadline()
        let server = try server(deadline)
        guard let answer = try server.sessionDetails(of: accessCode, until: deadline) else {
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

    /// Adds the name that a platform gave this application to every further request.
    package mutating func setClientID(_ clientID: ByteText) throws(MPinError) {
        guard let header = HTTPHeader(name: "X-MIRACL-Client-ID" as ByteText, value: clientID) else {
            throw MPinError(.flowError, "A client ID must be printable ASCII.")
        }
        var options = options
        options.headers.removeAll { $0.nameText == header.nameText }
        options.headers.append(header)
        if let backend {
            let transport = try HTTPTransport(backend: backend, options: options)
            self.transport = transport
            server = server?.with(transport)
        }
        self.options = options
    }
}

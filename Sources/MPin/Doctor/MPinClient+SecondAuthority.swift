// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension MPinClient {
    /// Checks that a server's second authority answers, if it is on another host and logins need its permits.
    ///
    /// - Parameter hasMilagro: whether there are Milagro registrations, whose logins need permits.
    /// - Returns: the address of the second authority; `nil` if it was not asked.
    package static func testSecondAuthority(
        of address: String, hasMilagro: Bool, options: TransportOptions
    ) throws(MPinError) -> String? {
        guard let backend = Backend(ByteText(address)) else { return nil }
        let deadline = Deadline(millisecondsFromNow: options.timeoutMilliseconds)
        let transport = try HTTPTransport(backend: backend, options: options)
        let server = try Server(backend, transport, standardPrefix, until: deadline)
        guard server.settings.usesPermits, hasMilagro || !server.settings.offers(.direct),
            case .https = server.place(of: .certivoxURL).route, let named = server.settings.text(.certivoxURL),
            let place = Backend(named)
        else { return nil }
        try server.findSecondAuthority(until: deadline)
        return place.address.string
    }
}

extension Server {
    /// Asks the second authority for a permit without naming one, which it must refuse. 404 or more comes from
    /// something else.
    fileprivate func findSecondAuthority(until deadline: Deadline) throws(MPinError) {
        do throws(MPinError) {
            try request(.permitShare, .certivoxURL, "timePermit", until: deadline) { _ in }
        } catch {
            guard let status = error.httpStatus, 400..<404 ~= status else {
                if let address = settings.text(.certivoxURL) { error.begin(with: address) }
                throw error
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The party that opened the session behind a session code. The device shows it before its user logs in there.
///
/// An extension. Only a server that knows the host by a secret marks the details as verified. Otherwise the only known
/// fact is the address that the request came from.
package struct SessionRequester: Sendable, Equatable {
    /// The host's name at the server; nil if the server does not know the host.
    package let host: String?
    /// The account to log in to on the host.
    package let account: String?
    /// The requesting program on the host, such as `sshd`.
    package let service: String?
    /// The address of the request: as reported by a verified host, otherwise as seen by the server.
    package let address: String?
    /// Whether the server knows the host.
    package let isVerified: Bool

    package init(host: String?, account: String?, service: String?, address: String?, isVerified: Bool) {
        self.host = host
        self.account = account
        self.service = service
        self.address = address
        self.isVerified = isVerified
    }

    /// The object in a server's answer.
    func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.host, ifPresent: host)
        writer.add(.account, ifPresent: account)
        writer.add(.service, ifPresent: service)
        writer.add(.address, ifPresent: address)
        writer.add(.verified, isVerified)
        return writer.finish()
    }

    /// Reads the object inside a server's answer; nil if there is none. Unreadable members count as missing, and an
    /// unreadable `isVerified` as false.
    init?(_ details: JSONObject, in body: Span<UInt8>) {
        guard details.optional(.requester, in: body)?.kind == .object else { return nil }
        do throws(WireError) {
            let object = try details.object(.requester, in: body)
            self.init(
                host: object.displayText(.host, in: body), account: object.displayText(.account, in: body),
                service: object.displayText(.service, in: body), address: object.displayText(.address, in: body),
                isVerified: object.displayFlag(.verified, default: false, in: body))
        } catch {
            return nil
        }
    }
}

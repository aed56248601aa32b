/// Who opened the session that waits behind a session code: what the device shows before its user logs in there.
///
/// An extension. Only a server that knows the host by a secret says that what stands here is verified; otherwise all
/// that is known is the address the request came from.
package struct SessionRequester: Sendable, Equatable {
    /// The host's name at the server; nil where the server does not know the host.
    package let host: String?
    /// The account to be logged in there.
    package let account: String?
    /// What asks there, as `sshd`.
    package let service: String?
    /// Where the request comes from: of a verified host what the host says, otherwise what the server saw.
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

    /// The object a server answers with.
    func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.host, ifPresent: host)
        writer.add(.account, ifPresent: account)
        writer.add(.service, ifPresent: service)
        writer.add(.address, ifPresent: address)
        writer.add(.verified, isVerified)
        return writer.finish()
    }

    /// The object inside a server's answer; nil when there is none. What cannot be read is not there, and a verdict
    /// that cannot be read is false.
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

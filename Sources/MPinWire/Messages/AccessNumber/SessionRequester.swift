// SPDX-License-Identifier: Apache-2.0

/// The party that opened the session behind a session code. The device shows it before its user logs in there.
///
/// An extension. Only a server that knows the host by a secret marks the details as verified. Otherwise the only known
/// fact is the address that the request came from.
package struct SessionRequester: Sendable, Equatable {
    /// The host's name at the server; nil if the server does not know the host.
    package let host: String?
    package let account: String?
    /// The requesting program on the host, such as `sshd`.
    package let service: String?
    /// The address of the request: as reported by a verified host, otherwise as seen by the server.
    package let address: String?
    package let isVerified: Bool

    package init(host: String?, account: String?, service: String?, address: String?, isVerified: Bool) {
        (self.host, self.account, self.service, self.address) = (host, account, service, address)
        self.isVerified = isVerified
    }

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
        } catch { return nil }
    }
}

/// A known host's description of a session that it opens; an extension. Other clients send no body, or one that is
/// ignored.
package struct SessionRequest: Sendable, Equatable {
    package let account: String?
    /// The requesting program, such as `sshd`.
    package let service: String?
    package let address: String?

    package static func decode(_ body: Span<UInt8>) throws(WireError) -> SessionRequest {
        let object = try JSONObject(request: body, allowsEmpty: true)
        return SessionRequest(
            account: try object.optionalText(.account, in: body), service: try object.optionalText(.service, in: body),
            address: try object.optionalText(.address, in: body))
    }
}

/// Details of the session behind a session code; empty texts if the server does not provide them.
package struct SessionDetailsResponse: Sendable {
    package let prerollID: String
    package let appName: String
    package let appLogoURL: String
    /// Who requests the login; an extension.
    package let requester: SessionRequester?
    /// Random bytes of the session, so that no other session has the same details; an extension. A client only signs
    /// the digest of the whole body.
    private let challenge: HexText?

    package init(
        prerollID: String = "", appName: String = "", appLogoURL: String = "", requester: SessionRequester? = nil,
        challenge: HexText? = nil
    ) {
        (self.prerollID, self.appName, self.appLogoURL, self.requester) = (prerollID, appName, appLogoURL, requester)
        self.challenge = challenge
    }

    /// The body of a server's answer, with both spellings that are in use.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.prerollID, prerollID)
        writer.add(.prerollIDCapital, prerollID)
        writer.add(.appName, appName)
        writer.add(.appNameCapital, appName)
        writer.add(.appLogoURL, appLogoURL)
        writer.add(.appLogoURLCapital, appLogoURL)
        if let requester { writer.add(.requester, json: requester.encode()) }
        if let challenge { writer.add(.challenge, challenge) }
        return writer.finish()
    }

    /// Reads a server's answer in either spelling.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> SessionDetailsResponse {
        let object = try JSONObject(body, allowsEmpty: true)
        func either(_ first: MemberName, _ second: MemberName) -> String {
            object.displayText(first, in: body) ?? object.displayText(second, in: body) ?? ""
        }
        return SessionDetailsResponse(
            prerollID: either(.prerollID, .prerollIDCapital), appName: either(.appName, .appNameCapital),
            appLogoURL: either(.appLogoURL, .appLogoURLCapital), requester: SessionRequester(object, in: body))
    }

    /// A server's answer for an unknown code, and for a device that reports its user.
    package static func acknowledgement() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.statusCapital, "OK")
        return writer.finish()
    }
}

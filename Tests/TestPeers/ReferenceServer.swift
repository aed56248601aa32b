// SPDX-License-Identifier: Apache-2.0
import Foundation
package import MPinCrypto
package import MPinWire

/// A server that does what the one of 2016 does, as far as a client can see: two authorities, answers without our
/// extensions, a verdict only at the last call, 401, 401 and then 410 for wrong PINs.
package final class ReferenceServer: @unchecked Sendable {
    private let lock = NSLock()
    private let authorities: [SharedAuthority]
    private let verifier: Verifier
    private var registrations: [String: String] = [:]
    private var open: [String: (PassOneRequest, [UInt8])] = [:]
    private var results: [String: Int] = [:]
    private var failures = 0
    private var permits: [String: Int] = [:]

    /// The server's day.
    package var day: PermitDay
    /// The second authority's day, where its clock differs from the server's.
    package var secondDay: PermitDay?
    /// The second authority's address.
    package var secondAuthority = "/dta"
    /// Whether an identity is verified at once.
    package var activates = true
    /// The identity that the last answer names; `nil` leaves it out.
    package var namedUser: String?
    package var storage: String?
    /// Its abilities beyond the protocol, according to its settings.
    package var extensions: [ProtocolExtension] = []
    /// Whether the link of the mail was opened, if identities are not verified at once.
    package var isVerified = false
    /// How many times the second authority fails before it answers.
    package var secondAuthorityFailures = 0
    /// Whether three wrong PINs void a registration, as they do in the reference; without it a right PIN is
    /// still taken.
    package var staysBlocked = false
    private var blocked: Set<String> = []
    /// Its answer to a login until the next registration: 410 at the time permit (revoked), 409 at the end (keys
    /// replaced).
    package var refusal: Int?
    /// How many seconds its clock is off, where it issues one-time passwords.
    package var passwordClock: Int?

    package init() throws {
        guard let day = PermitDay(20_700) else { throw CryptoError.invalidDate }
        self.day = day
        authorities = [try SharedAuthority(), try SharedAuthority()]
        verifier = try Verifier(
            serverSecret: try Shares.recombineServer(try authorities[0].serverShare(), try authorities[1].serverShare())
        )
    }

    package func answer(_ exchange: Exchange) -> Answer {
        lock.withLock { (try? route(exchange)) ?? .status(500, "unexpected") }
    }

    private func route(_ exchange: Exchange) throws -> Answer {
        let path = exchange.path.split(separator: "/").map(String.init)
        switch (exchange.method, path.first, path.dropFirst().first) {
        case ("GET", "rps", "clientSettings"): return .json(settings().encode())
        case ("PUT", "rps", "user"): return try register(exchange, previous: path.count > 2 ? path[2] : nil)
        case ("GET", "rps", "signature"): return try signature(path[2])
        case ("GET", "dta", "clientSecret"):
            guard secondAuthorityFailures == 0 else {
                secondAuthorityFailures -= 1
                return .status(502)
            }
            let hash = try hashed(Query.value(of: .hashMPinID, in: exchange.query))
            return .json(try authorities[1].clientShare(hash) { ShareResponse.clientSecret.encode(share: $0) })
        case ("GET", "rps", "timePermit"): return try timePermit(path[2])
        case ("GET", "dta", "timePermit"):
            let hash = try hashed(Query.value(of: .hashMPinID, in: exchange.query))
            return .json(
                try authorities[1].permitShare(hash, secondDay ?? day) { ShareResponse.timePermit.encode(share: $0) })
        case ("GET", "storage", _):
            let hash = try hashed(path[3])
            return .json(try authorities[1].permitShare(hash, day) { PermitStoreBody.encode(share: $0) })
        case ("POST", "rps", "pass1"):
            let request = try PassOneRequest.decode(exchange.body.span)
            let y = try Challenge.generate()
            open[request.mpinID.string] = (request, y)
            return .json(PassOneResponse(y: y).encode())
        case ("POST", "rps", "pass2"): return try judge(PassTwoRequest.decode(exchange.body.span))
        case ("POST", "mpinAuthenticate", _): return try result(AuthenticateRequest.decode(exchange.body.span))
        default: return .status(404)
        }
    }

    private func settings() -> ClientSettings {
        var settings = ClientSettings([
            .registerURL: "//rps/user", .signatureURL: "/rps/signature", .certivoxURL: secondAuthority,
            .timePermitsURL: "/rps/timePermit", .timePermitsStorageURL: storage ?? "/nothing-here",
            .mpinAuthServerURL: "/rps", .authenticateURL: "/mpinAuthenticate",
            .appID: "de033c7143c9737bc15fc2574cfc06b0",
        ])
        settings.extensions = extensions
        return settings
    }

    private func register(_ exchange: Exchange, previous: String?) throws -> Answer {
        let request = try RegisterRequest.decode(exchange.body.span)
        let record = MPinIDRecord(
            userID: request.userID, mobile: 1, issued: "2026-01-02 03:04:05.678901", salt: try Random.bytes(16))
        let mpinID = HexText(bytes: record.encode())
        let known = previous.flatMap { registrations[$0] == nil ? nil : $0 }
        let issued = known.flatMap { HexText(text: Array($0.utf8).span) } ?? mpinID
        let regOTT = HexText(bytes: try Random.bytes(16))
        // A restart makes the record again, which is not verified.
        if known != nil { isVerified = false }
        registrations[issued.string] = regOTT.string
        refusal = nil
        return .json(RegisterResponse(mpinID: issued, regOTT: regOTT, active: activates).encode())
    }

    private func signature(_ mpinID: String) throws -> Answer {
        guard registrations[mpinID] != nil else { return .status(400) }
        guard activates || isVerified else { return .status(401) }
        registrations[mpinID] = nil
        let hash = try Hash.sha256(Hex.decode(Array(mpinID.utf8).span) ?? [])
        let parameters = "mobile=1&hash_mpin_id=" + String(decoding: Hex.encode(hash.span), as: UTF8.self)
        return .json(try authorities[0].clientShare(hash) { SignatureResponse(params: parameters).encode(share: $0) })
    }

    private func timePermit(_ mpinID: String) throws -> Answer {
        if refusal == 410 { return .status(410) }
        let hash = try Hash.sha256(Hex.decode(Array(mpinID.utf8).span) ?? [])
        let answer = TimePermitResponse(
            date: day.number, storageID: HexText(bytes: hash), signature: HexText(bytes: try Random.bytes(32)))
        return .json(try authorities[0].permitShare(hash, day) { answer.encode(share: $0) })
    }

    private func judge(_ request: PassTwoRequest) throws -> Answer {
        guard let (first, y) = open.removeValue(forKey: request.mpinID.string) else { return .status(500) }
        let accepted = verifier.accepts(
            identity: try Identity(mpinID: request.mpinID.bytes), day: day, u: first.u, ut: first.ut, y: y, v: request.v
        )
        failures = accepted ? 0 : failures + 1
        let authOTT = HexText(bytes: try Random.bytes(16))
        if staysBlocked, failures >= 3 {
            blocked.insert(request.mpinID.string)
            failures = 0
        }
        let isBlocked = blocked.contains(request.mpinID.string)
        results[authOTT.string] = isBlocked ? 410 : accepted ? 200 : failures >= 3 ? 410 : 401
        let issues = passwordClock != nil && request.wantsOTP
        return .json(PassTwoResponse(authOTT: authOTT, otp: issues ? Array("123456".utf8) : nil).encode())
    }

    private func result(_ request: AuthenticateRequest) throws -> Answer {
        let status = results.removeValue(forKey: request.authOTT.string) ?? 408
        if refusal == 409 { return .status(409) }
        guard status == 200 else { return .status(status, "{}") }
        let times = passwordClock.map { offset in
            let now = (Int(Date().timeIntervalSince1970) + offset) * 1000
            return OneTimePasswordTimes(expireMilliseconds: now + 60_000, ttlSeconds: 60, nowMilliseconds: now)
        }
        return .json(AuthenticateResponse.encode(userID: namedUser, otpTimes: times))
    }

    /// Whether V is the right answer of a login without a time permit.
    package func accepts(identity: Identity, u: [UInt8], y: [UInt8], v: [UInt8]) -> Bool {
        verifier.accepts(identity: identity, day: nil, u: u, ut: nil, y: y, v: v)
    }

    private func hashed(_ text: String?) throws -> [UInt8] {
        guard let bytes = Hex.decode(Array((text ?? "").utf8).span) else { throw WireError.malformed }
        return bytes
    }
}

/// A trust authority that arrays can contain.
package final class SharedAuthority: @unchecked Sendable {
    private let authority: TrustAuthority

    package init() throws { authority = try TrustAuthority.generate() }

    package func serverShare() throws -> SecretBytes { try authority.serverShare() }

    package func clientShare(_ hash: [UInt8], _ body: (Span<UInt8>) -> [UInt8]) throws -> [UInt8] {
        try authority.clientShare(hashedID: hash).withBytes { body($0) }
    }

    package func permitShare(_ hash: [UInt8], _ day: PermitDay, _ body: (Span<UInt8>) -> [UInt8]) throws -> [UInt8] {
        try authority.permitShare(hashedID: hash, day: day).withBytes { body($0) }
    }
}

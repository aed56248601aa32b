// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import Testing

extension OldClient {
    func startRegistration(code: String? = nil, device: String? = nil) throws -> OldStatus {
        var members: [(String, OldJSON)] = [("userId", .text(identity)), ("mobile", .number(dialect.mobile))]
        if let device { members.append(("deviceName", .text(device))) }
        if let code { members.append(("activateCode", .text(code))) }
        return try register(path("registerURL"), members)
    }

    func restartRegistration() throws -> OldStatus {
        guard state == .startedRegistration else { return .flowError }
        return try register(
            path("registerURL") + "/" + mpinID,
            [("userId", .text(identity)), ("mobile", .number(dialect.mobile)), ("regOTT", .text(regOTT))])
    }

    private func register(_ path: String, _ members: [(String, OldJSON)]) throws -> OldStatus {
        let answer = try send("PUT", path, .object(members))
        switch answer.status {
        case 200: break
        case 403: return .notAuthorized
        default: return .generic(answer.status)
        }
        mpinID = answer.string("mpinId")
        regOTT = answer.string("regOTT")
        state = answer.object["active"] as? Bool == true ? .activated : .startedRegistration
        return .ok
    }

    func confirmRegistration() throws -> OldStatus {
        guard state == .startedRegistration || state == .activated else { return .flowError }
        let first = try get("\(path("signatureURL"))/\(mpinID)?regOTT=\(regOTT)")
        switch first.status {
        case 200: break
        case 400, 401: return .notVerified
        default: return .generic(first.status)
        }
        let second = try get("\(path("certivoxURL"))clientSecret?\(first.string("params"))")
        guard second.status == 200 else { return second.status == 408 ? .requestExpired : .generic(second.status) }
        shares = [unhex(first.string("clientSecretShare")), unhex(second.string("clientSecret"))]
        return .ok
    }

    func finishRegistration(pin: String) throws -> OldStatus {
        guard shares.count == 2 else { return .flowError }
        let whole = try Shares.recombine(secret(shares[0]), secret(shares[1]))
        token = plain(
            try ClientToken.extract(
                identity: Identity(mpinID: unhex(mpinID)), factor: oldFactor(pin), clientSecret: whole))
        shares = []
        regOTT = ""
        state = .registered
        return .ok
    }

    /// A client of a user who was invited.
    static func enrolled(at server: RunningServer, dialect: Dialect = Dialect()) throws -> OldClient {
        let client = OldClient("alice@example.invalid", at: server.peer, dialect: dialect)
        let statuses = try client.enroll(code: server.invite(client.identity))
        try #require(statuses.allSatisfy { $0 == .ok })
        client.paths = []
        return client
    }

    /// All of it, with a code.
    func enroll(code: String, pin: String = "1234") throws -> [OldStatus] {
        [
            try setBackend(), try startRegistration(code: code), try confirmRegistration(),
            try finishRegistration(pin: pin),
        ]
    }

    /// How that client reads a PIN.
    func oldFactor(_ pin: String) throws -> PINFactor {
        try PINFactor(pin: secret(Array(pin.utf8)), scheme: .mobile2016)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
package import MPinCrypto
package import MPinWire

/// The reference server with device keys, direct logins and a key of its own, which signs its answers.
package final class DirectServer: @unchecked Sendable {
    package let reference: ReferenceServer
    package static let path = "/mpinDirect"
    package static let statusPath = "/mpinStatus"
    package static let helloPath = "/mpinHello"

    private let lock = NSLock()
    var keys: [String: HexText] = [:]
    private var seen: Set<[UInt8]> = []
    private var wrong: [String: Int] = [:]
    private var received: [DirectLoginRequest] = []

    /// How many milliseconds its clock is ahead of this machine's.
    package var clock = 0
    /// Whether it is the reference server, and nothing more.
    package var isOld = false
    /// The reason of a revocation; nil while nothing is revoked.
    package var revocation: String?
    /// The number of tries left in its answer to a right PIN.
    package var leftAfterRight: Int?

    /// The key with which it proves its answers.
    package let signer: ServerSigner
    /// The enrollment codes that it knows, by their names.
    var codes: [HexText: EnrollmentCodeOfPeer] = [:]
    /// Whether it registers only with a code.
    package var requiresCode = false

    /// - Parameter signer: the key of another server, which this one replaces; nil for a new key.
    package init(_ reference: ReferenceServer, signer: ServerSigner? = nil) throws {
        self.signer = try signer ?? ServerSigner()
        self.reference = reference
        reference.namedUser = "alice@example.org"
    }

    /// The direct logins that have come, as far as they were of the right form.
    package var logins: [DirectLoginRequest] { lock.withLock { received } }

    /// The key of a registration.
    package func key(of mpinID: String) -> HexText? { lock.withLock { keys[mpinID] } }

    package func forgetKeys() { lock.withLock { keys = [:] } }

    package func forgetFailures() { lock.withLock { wrong = [:] } }

    /// Gives a registration another key than the one of the device.
    package func replaceKey(of mpinID: String, by key: HexText) { lock.withLock { keys[mpinID] = key } }

    private var now: Int { Int(Date().timeIntervalSince1970 * 1000) + clock }

    package func answer(_ exchange: Exchange) -> Answer {
        lock.withLock {
            guard !isOld else { return reference.answer(exchange) }
            guard let answer = try? route(exchange) else { return .status(400, "malformed") }
            guard let statement = try? statement(of: exchange) else { return answer }
            return signer.prove(answer, statement.kind, statement.request)
        }
    }

    private func route(_ exchange: Exchange) throws -> Answer {
        let path = exchange.path.split(separator: "/").map(String.init)
        switch (exchange.method, path.first, path.dropFirst().first) {
        case ("GET", "rps", "clientSettings"): return try settings(exchange)
        case ("PUT", "rps", "user"): return try register(exchange, previous: path.count > 2 ? path[2] : nil)
        case ("GET", "rps", "signature"):
            let query = try SignatureQuery.decode(exchange.query)
            guard isProved("signature", path[2], query.deviceProof, query.regOTT) else { return .status(400) }
            if query.deviceProof != nil { return signature(exchange) }
        case ("GET", "rps", "timePermit"): if keys[path[2]] != nil { return .status(410) }
        case ("POST", "rps", "pass1"):
            if keys[try PassOneRequest.decode(exchange.body.span).mpinID.string] != nil { return .status(403) }
        case ("POST", "mpinDirect", _): return try direct(DirectLoginRequest.decode(exchange.body.span))
        case ("POST", "mpinStatus", _): return try status(DeviceStatusRequest.decode(exchange.body.span))
        case ("POST", "mpinHello", _): return .json(HelloResponse(serverKey: signer.publicKey).encode())
        default: break
        }
        return reference.answer(exchange)
    }

    private func settings(_ exchange: Exchange) throws -> Answer {
        var settings = try ClientSettings.decode(reference.answer(exchange).body.span)
        settings.extensions += [.deviceKey, .direct, .proof, .status]
        settings[.directURL] = Self.path
        settings[.statusURL] = Self.statusPath
        settings[.helloURL] = Self.helloPath
        (settings.serverID, settings.serverKey) = (HexText(bytes: signer.keyHash), signer.publicKey)
        return .json(settings.encode())
    }

    private func register(_ exchange: Exchange, previous: String?) throws -> Answer {
        let request = try RegisterRequest.decode(exchange.body.span)
        if let previous, keys[previous] != nil {
            guard let regOTT = request.regOTT, isProved("restart", previous, request.deviceProof, regOTT) else {
                return .status(400)
            }
        }
        let code: EnrollmentCodeOfPeer?
        do { code = try self.code(of: request) } catch { return .status(403, "{}") }
        let answer = reference.answer(exchange)
        guard answer.status == 200, var response = try? RegisterResponse.decode(answer.body.span) else { return answer }
        if let key = request.deviceKey, keys[response.mpinID.string] == nil { keys[response.mpinID.string] = key }
        let seconds = Date(timeIntervalSince1970: Double(now) / 1000).formatted(.iso8601)
        response.nowTime = seconds.replacing("Z", with: ".123456")
        if let code, let key = request.deviceKey {
            response.codeProof = HexText(
                bytes: try code.secret.serverProof(
                    user: Array(request.userID.utf8), deviceKey: key.bytes, serverKeyHash: signer.keyHash))
        }
        return .json(response.encode())
    }

    /// Whether a request of a registration that is being made comes from its device.
    private func isProved(_ word: String, _ mpinID: String, _ proof: DeviceProof?, _ regOTT: HexText) -> Bool {
        guard let key = keys[mpinID] else { return proof == nil }
        guard let proof, abs(proof.time - now) <= 90_000, let id = HexText(text: Array(mpinID.utf8).span) else {
            return false
        }
        let digest = try? DeviceStatement.request(
            Array(word.utf8), serverID: signer.keyHash, mpinID: id.bytes, time: UInt64(proof.time),
            regOTT: regOTT.bytes)
        return digest.map { DevicePublicKey(kept: key.bytes).accepts(proof.signature.bytes, over: $0) } ?? false
    }

    private func direct(_ request: DirectLoginRequest) throws -> Answer {
        received.append(request)
        guard abs(request.time - now) <= 90_000 else {
            return .json(RefusalBody(nowTime: now).encode(status: 408)).refused(408)
        }
        let login = login(request)
        guard let key = keys[request.mpinID.string],
            DevicePublicKey(kept: key.bytes).accepts(request.signature.bytes, over: try login.digest(v: request.v))
        else { return .status(404, "{}") }
        guard seen.insert(request.u).inserted else { return .status(409, "{}") }
        if let revocation { return .json(RefusalBody(reason: ByteText(revocation)).encode(status: 403)).refused(403) }
        let failures = wrong[request.mpinID.string] ?? 0
        if failures >= 3 { return .status(410, "{\"attemptsLeft\":0}") }
        guard
            try reference.accepts(
                identity: Identity(mpinID: request.mpinID.bytes), u: request.u, y: login.challenge(), v: request.v)
        else {
            wrong[request.mpinID.string] = failures + 1
            return failures == 2
                ? .status(410, "{\"attemptsLeft\":0}") : .status(401, "{\"attemptsLeft\":\(2 - failures)}")
        }
        wrong[request.mpinID.string] = 0
        if case .session("1111111", _) = request.purpose { return .status(412, "{}") }
        return .json(body(for: request.purpose, failures))
    }

    private func status(_ request: DeviceStatusRequest) throws -> Answer {
        guard abs(request.proof.time - now) <= 90_000 else {
            return .json(RefusalBody(nowTime: now).encode(status: 408)).refused(408)
        }
        let mpinID = request.mpinID.string
        guard keys[mpinID] != nil, isProved("status", mpinID, request.proof, HexText(bytes: [])) else {
            return .status(404, "{}")
        }
        if let revocation { return .json(RefusalBody(reason: ByteText(revocation)).encode(status: 403)).refused(403) }
        return .json(DeviceStatusResponse(attemptsLeft: 3 - (wrong[mpinID] ?? 0)).encode())
    }

    private func body(for purpose: DirectPurpose, _ failures: Int) -> [UInt8] {
        let body = AuthenticateResponse.encode(
            userID: reference.namedUser, serverID: HexText(bytes: signer.keyHash),
            revoked: purpose.word == "revoke" ? true : nil,
            otpTimes: purpose == .oneTimePassword
                ? OneTimePasswordTimes(expireMilliseconds: now + 60_000, ttlSeconds: 60, nowMilliseconds: now) : nil,
            wrongSinceLastLogin: failures, attemptsLeft: leftAfterRight, code: "3f1a")
        return purpose == .oneTimePassword ? body.dropLast() + Array(",\"OTP\":\"035219\"}".utf8) : body
    }
}

extension Answer {
    /// Returns this answer with another status.
    fileprivate func refused(_ status: Int) -> Answer {
        var answer = self
        answer.status = status
        return answer
    }
}

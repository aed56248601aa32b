// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinCrypto
import MPinWire
import TestPeers
import Testing

/// Logins of registrations with a pin: nothing that the server has not signed counts.
@Suite struct ProvenLoginTests {
    private let fixture: DirectFixture
    private let client: Client
    private let user: User

    init() throws { (fixture, client, user) = try DirectFixture.warm() }

    /// Requires the error of an answer that is not proven, from which nothing was learned, and that the right PIN works
    /// at once when the attack is over.
    private func requireUnproven(
        pin: String = "4962", sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (record, left) = (try fixture.record(), user.attemptsLeft)
        fixture.server.forget()
        let error = try #require(
            try failure { try client.logIn(user, pin) }, sourceLocation: sourceLocation)
        #expect(error.code == .networkError && error.cause == .unproven, sourceLocation: sourceLocation)
        #expect(error.pinChecked == .maybe && error.httpStatus == nil, sourceLocation: sourceLocation)
        #expect(error.attemptsLeft == nil && error.serverTime == nil, sourceLocation: sourceLocation)
        #expect(user.state == .registered && user.lastRefusal == nil, sourceLocation: sourceLocation)
        #expect(user.attemptsLeft == left, sourceLocation: sourceLocation)
        #expect(fixture.requests(of: DirectServer.path) == 1, sourceLocation: sourceLocation)
        #expect(!fixture.server.requests.contains { $0.contains("pass") || $0.contains("timePermit") })
        #expect(try fixture.record() == record, sourceLocation: sourceLocation)
        let login = try fixture.cached(of: user)
        for word in ["settings", "clockOffset", "refusal"] {
            #expect(login[word] == nil, sourceLocation: sourceLocation)
        }
        #expect(login["attemptsLeft"] as? Int == left, sourceLocation: sourceLocation)
    }

    private func requireWorks() throws {
        fixture.answerAsEver()
        try client.logIn(user, "4962")
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "4962")
        #expect(fixture.server.requests == DirectLoginTests.only)
    }

    @Test func `the first answers give the pin, and the device signs for the key`() throws {
        #expect(user.hasDeviceKey && user.serverKeySource == .tls)
        #expect(user.serverKeyFingerprint == KeyFingerprint(fixture.direct.signer.fingerprint))
        let record = try fixture.record()
        #expect(record.contains("\"version\":4") && record.contains("\"serverKeySource\":\"tls\""))
        #expect(record.contains("\"serverKey\":\"\(fixture.direct.signer.publicKey.string)\""))
        #expect(!record.contains("serverId"))
        try client.logIn(user, "4962")
        #expect(fixture.server.requests == DirectLoginTests.only)
        let login = try #require(fixture.direct.logins.last)
        let key = try #require(fixture.direct.key(of: user.mpinID))
        let digest = try DirectLogin(
            serverID: fixture.direct.signer.keyHash, mpinID: login.mpinID.bytes, time: UInt64(login.time), u: login.u,
            purpose: login.purpose.word.bytes, argument: []
        ).digest(v: login.v)
        #expect(DevicePublicKey(kept: key.bytes).accepts(login.signature.bytes, over: digest))
    }

    @Test func `each altered byte of answer and proof`() throws {
        let length = Countdown(0)
        fixture.alter(DirectServer.path) { answer in
            for _ in answer.body { length.count() }
            return answer
        }
        try client.logIn(user, "4962")
        for index in 0..<length.value {
            fixture.alter(DirectServer.path) { answer in
                var answer = answer
                if index < answer.body.count { answer.body[index] ^= 1 }
                return answer
            }
            let error = try #require(try failure { try client.logIn(user, "4962") })
            #expect(error.cause == .unproven, "byte \(index)")
        }
        try requireWorks()
    }

    enum Change: CaseIterable, Sendable {
        case noProof, noBrace, moreAfter, moreBefore, spaces, otherStatus, twice, empty
    }

    @Test(arguments: Change.allCases) func `an answer that was changed on the way`(change: Change) throws {
        fixture.alter(DirectServer.path) { answer in
            var answer = answer
            let count = AnswerProof.split(answer.body.span)?.signedCount ?? 0
            switch change {
            case .noProof: answer.body = answer.body.prefix(count) + Array("}".utf8)
            case .noBrace: answer.body.removeLast()
            case .moreAfter: answer.body += Array("\n".utf8)
            case .moreBefore: answer.body = Array(" ".utf8) + answer.body
            case .spaces: answer.body.insert(UInt8(ascii: " "), at: count)
            case .otherStatus: answer.status = 201
            case .twice:
                answer.body =
                    answer.body.prefix(count) + answer.body.suffix(from: count).dropLast()
                    + answer.body.suffix(from: count)
            case .empty: answer.body = []
            }
            return answer
        }
        try requireUnproven()
        try requireWorks()
    }

    @Test func `the answer to a right PIN does not open a login with a wrong one`() throws {
        let recorded = Recorded()
        fixture.alter(DirectServer.path) { recorded.keep($0) }
        try client.logIn(user, "4962")
        let right = try #require(recorded.last)
        fixture.answer(DirectServer.path, right)
        for _ in 1...5 { try requireUnproven(pin: "4963") }
        try requireUnproven()
        fixture.direct.forgetFailures()
        try requireWorks()
    }

    @Test func `a wrong PIN's answer does not pass for a right one's`() throws {
        fixture.alter(DirectServer.path) { Answer(status: 200, body: $0.body) }
        try requireUnproven(pin: "4963")
    }

    /// What another request of the same device, or of another one, was answered.
    enum Other: CaseIterable, Sendable {
        case oneTimePassword, status, device, server
    }

    @Test(arguments: Other.allCases) func `the answer to another request`(other: Other) throws {
        let recorded = Recorded()
        let direct = fixture.direct
        fixture.server.answer { exchange in
            let answer = direct.answer(exchange)
            return exchange.path == DirectServer.path || exchange.path == DirectServer.statusPath
                ? recorded.keep(answer) : answer
        }
        switch other {
        case .oneTimePassword: _ = try client.oneTimePassword(user, "4962")
        case .status:
            fixture.direct.revocation = "lost"
            #expect(try status { try client.logIn(user, "4962") } == .revoked)
            fixture.direct.revocation = nil
            _ = try client.mpin.startAuthentication(user)
        case .device:
            let another = client.mpin.makeUser("bob@example.org")
            fixture.reference.namedUser = "bob@example.org"
            try client.register(another)
            try client.logIn(another, "4962")
            try client.mpin.deleteUser(another)
            fixture.reference.namedUser = "alice@example.org"
        case .server:
            let attacker = try ServerSigner()
            fixture.server.answer { exchange in
                let answer = direct.answer(exchange)
                guard let (kind, request) = try? direct.statement(of: exchange),
                    let count = AnswerProof.split(answer.body.span)?.signedCount
                else { return answer }
                return attacker.prove(
                    Answer(status: answer.status, body: answer.body.prefix(count) + Array("}".utf8)), kind, request)
            }
        }
        if other != .server {
            let answer = try #require(recorded.last)
            fixture.answer(DirectServer.path, answer)
        }
        try requireUnproven()
        try requireWorks()
    }

    @Test(arguments: [
        200, 201, 204, 302, 400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 422, 429, 500, 502, 503, 504,
    ]) func `an answer without a proof says nothing, whatever its status`(status: Int) throws {
        let time = Int(Date().timeIntervalSince1970 * 1000) + 86_400_000
        fixture.answer(
            DirectServer.path,
            .status(
                status,
                "{\"userId\":\"alice@example.org\",\"attemptsLeft\":0,\"nowTime\":\(time),\"reason\":\"x\","
                    + "\"retryAfter\":100,\"serverId\":\"\(fixture.direct.signer.fingerprint)\"}"))
        try requireUnproven()
        try requireUnproven(pin: "4963")
        try requireWorks()
    }

    @Test func `the name of the server in the answer is not compared, but the identity is`() throws {
        fixture.answerSigned(
            DirectServer.path, .status(200, "{\"userId\":\"alice@example.org\",\"serverId\":\"010203\"}"))
        try client.logIn(user, "4962")
        fixture.answerSigned(DirectServer.path, .status(200, "{\"userId\":\"alice@example.org\"}"))
        try client.logIn(user, "4962")
        fixture.answerAsEver()
        for named in [nil, "bob@example.org"] {
            fixture.reference.namedUser = named
            #expect(try status { try client.logIn(user, "4962") } == .responseParseError)
        }
    }

    @Test func `a forged status leaves the refusal, and the PIN is not asked for`() throws {
        fixture.direct.revocation = "laptop lost"
        #expect(try status { try client.logIn(user, "4962") } == .revoked)
        for answer in [Answer.status(200, "{\"attemptsLeft\":3}"), .status(404, "{}"), .status(429, "{}")] {
            fixture.answer(DirectServer.statusPath, answer)
            let error = try #require(try failure { _ = try client.mpin.startAuthentication(user) })
            #expect(error.cause == .unproven && error.pinChecked == .no)
            #expect(user.lastRefusal == .revoked && user.refusalReason == "laptop lost")
        }
        fixture.answerAsEver()
        #expect(try status { _ = try client.mpin.startAuthentication(user) } == .revoked)
        fixture.direct.revocation = nil
        _ = try client.mpin.startAuthentication(user)
        #expect(user.lastRefusal == nil)
    }
}

/// The last answer of a server.
final class Recorded: @unchecked Sendable {
    private let lock = NSLock()
    private var answer: Answer?

    var last: Answer? { lock.withLock { answer } }

    func keep(_ answer: Answer) -> Answer {
        lock.withLock { self.answer = answer }
        return answer
    }
}

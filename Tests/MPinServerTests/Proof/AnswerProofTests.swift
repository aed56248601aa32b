// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinCrypto
import MPinServer
import MPinServerRoles
import MPinWire
import Testing

/// The server's proofs at the end of its answers to direct logins.
@Suite struct AnswerProofTests {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    /// Sends a login and checks the proof of its answer.
    private func status(_ request: DirectRequest, at fixture: Fixture) throws -> Int {
        let answer = try request.send(at: fixture)
        #expect(try ServerKeyPeer(at: fixture).proves(answer, .login, for: request.subject), "\(answer.text)")
        return answer.status
    }

    @Test func `every answer to a well-formed login is proven, whatever it says`() throws {
        let fixture = try Fixture(configuration: "failures_per_source = 3\n")
        let (alice, bob) = (try fixture.device(), try fixture.device("bob"))
        let used = try DirectRequest(alice)
        #expect(try status(used, at: fixture) == 200)
        #expect(try status(used, at: fixture) == 409)
        for purpose in ["changePin", "otp", "devices"] {
            #expect(try status(DirectRequest(alice, purpose), at: fixture) == 200, "\(purpose)")
        }
        #expect(try status(DirectRequest(alice, time: fixture.milliseconds - 90_001), at: fixture) == 408)
        #expect(try status(DirectRequest(alice, "revoke", "7b7d"), at: fixture) == 422)
        for expected in [412, 412, 412, 429] {
            #expect(try status(DirectRequest(alice, "session", "1234567"), at: fixture) == expected)
        }
        for expected in [404, 404, 404, 429] {
            #expect(try status(DirectRequest(alice, signer: DeviceSecret()), at: fixture) == expected)
        }
        for expected in [401, 401, 410, 410] {
            #expect(try status(DirectRequest(alice, pin: "9999"), at: fixture) == expected)
        }
        _ = try fixture.administrator.revoke("bob", reason: "left the house")
        #expect(try status(DirectRequest(bob), at: fixture) == 403)
    }

    @Test func `an answer that waits for a session is proven, however it ends`() throws {
        let alice = try fixture.device()
        let key = try ServerKeyPeer(at: fixture)
        for (end, expected) in [("enter", 200), ("expire", 504), ("abandon", 503), ("revoke", 403)] {
            let waiting = try Waiting(at: fixture)
            let request = try DirectRequest(alice, "session", waiting.code)
            let outcome = try fixture.outcome("POST", "/mpinDirect", request.body)
            let hold = try #require(outcome.hold)
            switch end {
            case "enter": #expect(try waiting.enter(at: fixture).status == 200)
            case "expire": hold.expire()
            case "abandon": hold.abandon()
            default:
                _ = try fixture.administrator.revoke("alice", reason: nil)
                #expect(try waiting.enter(at: fixture).status == 403)
            }
            let answer = try #require(outcome.answer)
            #expect(answer.status == expected, "\(end)")
            #expect(try key.proves(answer, .login, for: request.subject), "\(end)")
        }
    }

    @Test(.onSQLite, arguments: [("attempt", 503), ("horizon", 500)])
    func `a failure of the server is proven`(table: String, expected: Int) throws {
        let alice = try fixture.device()
        try fixture.database.execute("ALTER TABLE \(table) RENAME TO lost")
        #expect(try status(DirectRequest(alice), at: fixture) == expected)
    }

    @Test func `nothing is signed for a malformed request`() throws {
        let alice = try fixture.device()
        var offCurve = try DirectRequest(alice)
        offCurve.v[64] ^= 1
        var argument = try DirectRequest(alice, "invite", "60")
        argument.argument = "59"
        var word = try DirectRequest(alice)
        word.purpose = "hovercraft"
        for request in [offCurve, argument, word] {
            let answer = try request.send(at: fixture)
            #expect(answer.status == 400 && AnswerProof.split(answer.body.span) == nil, "\(answer.text)")
        }
        for (method, body) in [
            ("GET", ""), ("POST", ""), ("POST", "{}"), ("POST", String(repeating: "x", count: 70_000)),
        ] {
            for path in ["/mpinDirect", "/mpinStatus", "/mpinHello"] {
                let answer = try fixture.send(method, path, Array(body.utf8))
                #expect([400, 405, 413].contains(answer.status) && AnswerProof.split(answer.body.span) == nil)
            }
        }
    }

    @Test func `each byte of the answer, and what it answers, is covered`() throws {
        let alice = try fixture.device()
        let key = try ServerKeyPeer(at: fixture)
        let (request, other) = (try DirectRequest(alice), try DirectRequest(alice))
        let answer = try request.send(at: fixture)
        #expect(try key.proves(answer, .login, for: request.subject))
        for index in answer.body.indices {
            var body = answer.body
            body[index] ^= 1
            #expect(try !key.proves(Answer(status: 200, body: body), .login, for: request.subject), "\(index)")
        }
        for count in [0, 1, 140, answer.body.count - 1] {
            let cut = Answer(status: 200, body: Array(answer.body.prefix(count)))
            #expect(try !key.proves(cut, .login, for: request.subject))
        }
        #expect(try !key.proves(answer, .login, for: other.subject))
        #expect(try !key.proves(Answer(status: 401, body: answer.body), .login, for: request.subject))
        #expect(try !key.proves(answer, .hello, for: request.subject))
        #expect(try !key.proves(answer, .enrollment, for: request.subject))
        #expect(try !ServerKeyPeer(at: Fixture()).proves(answer, .login, for: request.subject))
    }

    @Test func `the answer to a request with a damaged signature is none to the request`() throws {
        let alice = try fixture.device()
        let key = try ServerKeyPeer(at: fixture)
        let request = try DirectRequest(alice)
        var damaged = request
        damaged.signature[40] ^= 1
        let answer = try damaged.send(at: fixture)
        #expect(try answer.status == 404 && key.proves(answer, .login, for: damaged.subject))
        #expect(try !key.proves(answer, .login, for: request.subject))
    }

    /// The bytes of docs/device-login.md, written here once more and checked by the openssl command.
    @Test func `openssl verifies the proof over the documented fields`() throws {
        let alice = try fixture.device()
        let request = try DirectRequest(alice, pin: "9999")
        let answer = try request.send(at: fixture)
        let publicKey = unhex(try fixture.get("/rps/clientSettings").string("serverKey"))
        let text = answer.text
        let start = try #require(text.range(of: ",\"proof\":\"", options: .backwards))
        let signature = unhex(String(text[start.upperBound...].dropLast(2)))
        #expect(answer.status == 401 && text.hasSuffix("\"}") && signature.count == 64)
        func field(_ bytes: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(bytes.count)] + bytes }
        let fields =
            try field(Array("mpin server answer 1".utf8)) + field(Hash.sha256(publicKey))
            + field(request.subject) + field([0, 0, 0, 0, 0, 0, 1, 145])
            + field(Hash.sha256(Array(text[..<start.lowerBound].utf8)))
        let folder = URL(filePath: fixture.path)
        func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            let number = [0] + bytes.drop { $0 == 0 }
            let plain = number.count > 1 && number[1] < 0x80 ? Array(number.dropFirst()) : number
            return [2, UInt8(plain.count)] + plain
        }
        let numbers = number(signature[..<32]) + number(signature[32...])
        // SubjectPublicKeyInfo of a P-256 key.
        let head = unhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")
        try Data(head + publicKey).write(to: folder.appending(path: "key.der"))
        try Data([0x30, UInt8(numbers.count)] + numbers).write(to: folder.appending(path: "signature"))
        try Data(fields).write(to: folder.appending(path: "fields"))
        let result = try Program.run(
            at: "/usr/bin/openssl",
            [
                "dgst", "-sha256", "-keyform", "DER", "-verify", fixture.path + "/key.der", "-signature",
                fixture.path + "/signature", fixture.path + "/fields",
            ])
        #expect(result.output == "Verified OK\n", "\(result.errors)")
    }

    @Test func `hello proves the key for one challenge`() throws {
        let key = try ServerKeyPeer(at: fixture)
        let challenge = try Random.bytes(32)
        let answer = try fixture.post("/mpinHello", ["challenge": hex(challenge)])
        #expect(answer.status == 200 && answer.string("serverKey") == hex(key.publicKey))
        #expect(try key.proves(answer, .hello, for: challenge))
        #expect(try !key.proves(answer, .hello, for: Random.bytes(32)))
        #expect(try !key.proves(answer, .login, for: challenge))
        for size in [0, 31, 33] {
            #expect(try fixture.post("/mpinHello", ["challenge": hex(Random.bytes(size))]).status == 400)
        }
    }

    @Test func `hello proves that the server knows a code of this user, and tells nothing else of it`() throws {
        let fixture = try Fixture(configuration: "failures_per_source = 3\n")
        let key = try ServerKeyPeer(at: fixture)
        let text = try fixture.invite("alice")
        let code = try NamedCodePeer(text), other = try NamedCodePeer("K7QM-X2F4-9RTB-5WCA")
        func ask(_ name: [UInt8], _ user: String?, challenge: [UInt8]) throws -> Answer {
            var members = ["challenge": hex(challenge), "codeName": hex(name)]
            members["userId"] = user
            return try fixture.post("/mpinHello", members)
        }
        let challenge = try Random.bytes(32)
        let before = try fixture.auditText()
        for user in [nil, "", " alice", "a\u{202E}b", "a\nb", String(repeating: "a", count: 60_000)] {
            #expect(try ask(code.name, user, challenge: challenge).status == 400)
        }
        #expect(try fixture.auditText() == before)
        let answer = try ask(code.name, "alice", challenge: challenge)
        #expect(try answer.status == 200 && key.proves(answer, .hello, for: challenge))
        #expect(try answer.string("codeProof") == hex(code.helloProof("alice", challenge, key.hash)))
        #expect(try answer.string("codeProof") != hex(code.helloProof("bob", challenge, key.hash)))
        for (name, user) in [(other.name, "alice"), (code.name, "bob"), (other.name, "carol")] {
            let refused = try ask(name, user, challenge: challenge)
            #expect(refused.status == 403 && refused.object["codeProof"] == nil)
        }
        #expect(try ask(code.name, "alice", challenge: challenge).status == 429)
        // The question has not used the code up.
        fixture.clock.advance(600)
        #expect(try ask(code.name, "alice", challenge: challenge).status == 200)
    }
}

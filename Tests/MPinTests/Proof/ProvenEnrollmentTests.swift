// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinCrypto
import MPinWire
import TestPeers
import Testing

/// Enrollments at a server that proves its answers, and between an attacker and such a server.
@Suite struct ProvenEnrollmentTests {
    static let code = "7K3M-9QXT-2HVB-8RWD"

    /// Whether anything that was sent contains the code, in any form.
    private func hasLeaked(_ code: String, _ fixture: DirectFixture) -> Bool {
        let symbols = code.filter { $0 != "-" }.lowercased()
        let sent = fixture.server.received.lowercased()
        let hexadecimal = HexText(bytes: Array(symbols.uppercased().utf8)).string
        return sent.contains(symbols) || sent.contains(code.lowercased()) || sent.contains(hexadecimal)
    }

    @Test(arguments: ["7K3M-9QXT-2HVB-8RWD", "7k3m9qxt2hvb8rwd", " 7K3M 9QXT 2HVB 8RWD"])
    func `a code proves both sides, and is not sent`(typed: String) throws {
        let fixture = try DirectFixture()
        fixture.direct.requiresCode = true
        try fixture.direct.know(Self.code)
        let (client, user) = try fixture.newUser()
        try client.mpin.startRegistration(user, invitation: typed)
        #expect(user.serverKeySource == .invitation)
        try client.finish(user)
        #expect(user.awaitsFirstLogin)
        try client.logIn(user, "4962")
        #expect(!user.awaitsFirstLogin)
        #expect(!hasLeaked(Self.code, fixture))
        let record = try fixture.record()
        #expect(record.contains("\"serverKeySource\":\"invitation\"") && !record.contains("9QXT"))
    }

    @Test func `a code that the server does not know is refused, and not sent`() throws {
        let fixture = try DirectFixture()
        fixture.direct.requiresCode = true
        let (client, user) = try fixture.newUser()
        let error = try #require(try failure { try client.mpin.startRegistration(user, invitation: Self.code) })
        #expect(error.code == .identityNotAuthorized && user.state == .invalid && !user.hasDeviceKey)
        #expect(!hasLeaked(Self.code, fixture))
    }

    /// Also those that look like an invitation, or like a mistyped one: the caller knows what they are.
    @Test(arguments: ["123456", code, "7K3M-9QXT-2HVB-8RW", "membership 2016-0042"])
    func `the codes of an application are sent as they are`(text: String) throws {
        let fixture = try DirectFixture()
        fixture.reference.activates = false
        let (client, user) = try fixture.newUser()
        try client.mpin.startRegistration(user, activateCode: text)
        #expect(fixture.server.received.contains("\"activateCode\":\"\(text)\""))
        #expect(user.serverKeySource == .tls)
        fixture.server.forget()
        try client.mpin.restartRegistration(user, activateCode: text)
        #expect(fixture.server.received.contains("\"activateCode\":\"\(text)\""))
    }

    /// It may be a PIN.
    @Test(arguments: ["4962", "123456", "7K3M-9QXT-2HVB-8RW", ""], [true, false])
    func `a text that is no invitation is not sent as one`(text: String, isOld: Bool) throws {
        let fixture = try DirectFixture(isOld: isOld)
        fixture.reference.activates = false
        let (client, user) = try fixture.newUser()
        fixture.server.forget()
        #expect(try status { try client.mpin.startRegistration(user, invitation: text) } == .flowError)
        #expect(user.state == .invalid && fixture.server.requests.isEmpty)
        try client.mpin.startRegistration(user)
        fixture.server.forget()
        #expect(try status { try client.mpin.restartRegistration(user, invitation: text) } == .flowError)
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `an attacker with a key of his own does not pass for the server that made the code`() throws {
        let attacker = try ServerSigner()
        for change in [0, 1, 2] {
            let fixture = try DirectFixture()
            try fixture.direct.know(Self.code)
            // He passes the request on; he makes the registration himself; he makes up a proof of the code.
            fixture.attack(attacker) { exchange, answer in
                guard change > 0, exchange.method == "PUT" else { return answer }
                let record = MPinIDRecord(userID: "alice@example.org", mobile: 1, issued: "", salt: [1])
                return .json(
                    RegisterResponse(
                        mpinID: HexText(bytes: record.encode()),
                        regOTT: HexText(bytes: [UInt8](repeating: 7, count: 16)),
                        active: true,
                        codeProof: change == 1 ? nil : HexText(bytes: [UInt8](repeating: 7, count: 32))
                    ).encode())
            }
            let (client, user) = try fixture.newUser()
            let error = try #require(try failure { try client.mpin.startRegistration(user, invitation: Self.code) })
            #expect(change == 0 ? error.code == .identityNotAuthorized : error.cause == .unproven)
            #expect(user.state == .invalid && !hasLeaked(Self.code, fixture))
            #expect(!FileManager.default.fileExists(atPath: fixture.recordPath))
            // What he has seen is worth nothing with a key of his own.
            fixture.answerAsEver()
            try client.mpin.setBackend(fixture.server.url)
            try client.mpin.startRegistration(user, invitation: Self.code)
            #expect(user.serverKeySource == .invitation)
        }
    }

    @Test func `a fingerprint must be right`() throws {
        let fixture = try DirectFixture()
        let right = fixture.direct.signer.fingerprint
        let (client, user) = try fixture.newUser()
        fixture.server.forget()
        #expect(try status { try client.mpin.startRegistration(user, serverKey: "12ab") } == .flowError)
        let other = try ServerSigner().fingerprint
        let error = try #require(try failure { try client.mpin.startRegistration(user, serverKey: other) })
        #expect(error.code == .networkError && error.cause == .otherServerKey)
        #expect(fixture.server.requests.allSatisfy { $0 == "GET /rps/clientSettings" } && user.state == .invalid)
        try client.mpin.startRegistration(user, serverKey: right.uppercased())
        #expect(user.serverKeySource == .fingerprint)
        try client.finish(user)
        try client.logIn(user, "4962")
    }

    @Test func `a fingerprint needs a server that proves its key`() throws {
        let fixture = try DirectFixture(isOld: true)
        let (client, user) = try fixture.newUser()
        let error = try #require(
            try failure { try client.mpin.startRegistration(user, serverKey: fixture.direct.signer.fingerprint) })
        #expect(error.cause == .noServerProof && user.state == .invalid)
    }

    @Test(arguments: [nil, "123456", code]) func `a restart at a server with another key is refused`(
        code: String?
    ) throws {
        let (fixture, client, user) = try DirectFixture.started(activates: false)
        let record = try fixture.record()
        // It has the code too: a person made it there.
        let successor = try DirectServer(ReferenceServer())
        try successor.know(Self.code)
        fixture.server.answer { successor.answer($0) }
        for _ in 1...2 {
            let error = try #require(try failure { try client.mpin.restartRegistration(user, MPinTests.code(code)) })
            #expect(error.code == .networkError && error.cause == .unproven)
            #expect(try fixture.record() == record && !hasLeaked(Self.code, fixture))
            try client.mpin.setBackend(fixture.server.url)
        }
        successor.isOld = true
        try client.mpin.setBackend(fixture.server.url)
        #expect(
            try failure { try client.mpin.restartRegistration(user, MPinTests.code(code)) }?.cause == .unproven)
        #expect(try fixture.record() == record && user.hasDeviceKey)
    }

    @Test(arguments: ["/rps/user", "/rps/signature"]) func `each altered byte of an enrollment`(path: String) throws {
        let fixture = try DirectFixture()
        let direct = fixture.direct
        let length = Countdown(0)
        func attempt() throws -> MPinError? {
            let (client, user) = try fixture.newUser()
            defer { try? client.mpin.deleteUser(user) }
            return try failure {
                try client.mpin.startRegistration(user)
                try client.mpin.confirmRegistration(user)
            }
        }
        fixture.server.answer { exchange in
            let answer = direct.answer(exchange)
            if exchange.path.hasPrefix(path) { for _ in answer.body { length.count() } }
            return answer
        }
        #expect(try attempt() == nil)
        for index in stride(from: 0, to: length.value, by: 3) {
            fixture.server.answer { exchange in
                var answer = direct.answer(exchange)
                if exchange.path.hasPrefix(path), index < answer.body.count { answer.body[index] ^= 1 }
                return answer
            }
            #expect(try attempt()?.cause == .unproven, "byte \(index)")
        }
    }

    @Test(arguments: [400, 401, 403, 404, 408, 410, 429, 500, 503])
    func `an unsigned refusal decides nothing but this call`(status: Int) throws {
        let (fixture, client, user) = try DirectFixture.newUser()
        fixture.answer("/rps/user", .status(status, "{\"message\":\"m\"}"))
        #expect(try failure { try client.mpin.startRegistration(user) }?.cause == .unproven)
        fixture.answerAsEver()
        try client.mpin.startRegistration(user)
        fixture.answer("/rps/signature/\(user.mpinID)", .status(status, "{\"message\":\"m\"}"))
        #expect(try failure { try client.mpin.confirmRegistration(user) }?.cause == .unproven)
        // The registration has not lapsed.
        #expect(try failure { try client.mpin.restartRegistration(user) }?.code == .flowError)
        fixture.answerAsEver()
        try client.finish(user)
        try client.logIn(user, "4962")
    }

    @Test func `a signed refusal of the share has its usual meaning`() throws {
        let (fixture, client, user) = try DirectFixture.newUser()
        try client.mpin.startRegistration(user)
        fixture.answerSigned("/rps/signature", .status(400, "{\"message\":\"m\"}"))
        #expect(try failure { try client.mpin.confirmRegistration(user) }?.cause == .lapsedRegistration)
        fixture.answerAsEver()
        try client.mpin.restartRegistration(user)
        #expect(user.serverKeySource == .tls)
        try client.finish(user)
        try client.logIn(user, "4962")
    }

    @Test func `the second authority is the one that the server has signed`() throws {
        let fixture = try DirectFixture()
        fixture.alterSettings { $0[.certivoxURL] = "/attacker" }
        let (client, user) = try fixture.newUser()
        try client.register(user)
        #expect(fixture.server.requests.last == "GET /dta/clientSecret")
        #expect(!fixture.server.requests.contains { $0.contains("attacker") })
    }

    @Test func `a share that was wrong is noticed at the first login`() throws {
        let (fixture, other) = (try DirectFixture(), try ReferenceServer())
        let direct = fixture.direct
        fixture.server.answer { exchange in
            exchange.path.hasPrefix("/dta") ? other.answer(exchange) : direct.answer(exchange)
        }
        let (client, user) = try fixture.newUser()
        try client.register(user)
        let error = try #require(try failure { try client.logIn(user, "4962") })
        #expect(error.code == .incorrectPIN && error.pinChecked == .yes && user.awaitsFirstLogin && user.hasDeviceKey)
    }

    @Test func `a code at a restart proves the key anew`() throws {
        let (fixture, client, user) = try DirectFixture.started(activates: false)
        #expect(user.serverKeySource == .tls)
        // A code that the server does not know leaves everything as it was.
        let record = try fixture.record()
        #expect(
            try failure { try client.mpin.restartRegistration(user, invitation: Self.code) }?.code
                == .identityNotAuthorized)
        #expect(try fixture.record() == record && user.serverKeySource == .tls)
        try fixture.direct.know(Self.code)
        fixture.reference.activates = true
        try client.mpin.restartRegistration(user, invitation: Self.code)
        #expect(user.serverKeySource == .invitation && !hasLeaked(Self.code, fixture))
        try client.finish(user)
        try client.logIn(user, "4962")
        #expect(try fixture.nextProcess().1.serverKeySource == .invitation)
    }
}

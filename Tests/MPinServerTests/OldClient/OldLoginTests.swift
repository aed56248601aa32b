// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Logins of a client of 2016 at this server.
@Suite(.serialized) struct OldLoginTests {
    private func enrolled(
        _ server: RunningServer, _ user: String = "alice@example.invalid",
        dialect: OldClient.Dialect = OldClient.Dialect()
    ) throws -> OldClient {
        let client = OldClient(user, at: server.peer, dialect: dialect)
        let code = try server.invite(user)
        let statuses = try client.enroll(code: code)
        try #require(statuses.allSatisfy { $0 == .ok })
        client.paths = []
        return client
    }

    @Test func `the first of the day, and another with the permit at hand`() throws {
        let server = try RunningServer()
        let client = try enrolled(server)
        #expect(try client.startAuthentication() == .ok)
        #expect(try client.authenticate(pin: "1234") == .ok)
        let appID = client.settings["appID"] as? String ?? ""
        let day = client.cachedPermit?.day ?? 0
        let login = ["rps/pass1", "rps/pass2", "mpinAuthenticate"]
        #expect(client.paths == ["rps/timePermit", "permits/\(appID)/\(day)", "dta/timePermit"] + login)
        client.paths = []
        #expect(try client.startAuthentication() == .ok)
        #expect(try client.authenticate(pin: "1234") == .ok)
        #expect(client.paths == ["rps/timePermit"] + login)
        // Several finishes may follow one start.
        #expect(try client.authenticate(pin: "9999") == .incorrectPIN)
        #expect(try client.authenticate(pin: "1234") == .ok)
    }

    @Test(arguments: ["0", "", nil] as [String?], [0, 1])
    func `in every dialect`(noNumber: String?, form: Int) throws {
        let server = try RunningServer()
        let dialect = OldClient.Dialect(
            mobile: form, noNumber: noNumber, noPassword: form == 0 ? .flag(false) : .number(0),
            password: form == 0 ? .flag(true) : .number(1))
        let client = try enrolled(server, dialect: dialect)
        #expect(try client.startAuthentication() == .ok)
        #expect(try client.authenticate(pin: "1234") == .ok)
        let (status, password) = try client.authenticateOTP(pin: "1234")
        #expect(status == .ok)
        #expect(password.status == .ok)
    }

    @Test func `three wrong PINs block, on every machine`() throws {
        let server = try RunningServer()
        let client = try enrolled(server)
        let copy = client.copy()
        var statuses: [OldStatus] = []
        for _ in 0..<3 {
            #expect(try client.startAuthentication() == .ok)
            statuses.append(try client.authenticate(pin: "0000"))
        }
        #expect(statuses == [.incorrectPIN, .incorrectPIN, .incorrectPIN])
        #expect(client.state == .blocked)
        #expect(client.token.isEmpty)
        client.paths = []
        #expect(try client.startAuthentication() == .flowError)
        #expect(client.paths.isEmpty)
        #expect(try copy.startAuthentication() == .ok)
        #expect(try copy.authenticate(pin: "1234") == .incorrectPIN)
        #expect(copy.state == .blocked)
    }

    @Test func `a one-time password that is good, and one that is not`() throws {
        let server = try RunningServer()
        let client = try enrolled(server)
        #expect(try client.startAuthentication() == .ok)
        let (status, password) = try client.authenticateOTP(pin: "1234")
        #expect(status == .ok)
        #expect(password.status == .ok)
        #expect(password.seconds == 60)
        #expect(password.expires == password.now + 60)
        #expect(abs(password.now - Int(Date().timeIntervalSince1970)) <= 60)
        func redeem(_ otp: String) throws -> Answer {
            try server.peer.post("/otp", ["userId": client.identity, "otp": otp])
        }
        #expect(try redeem(password.otp).string("userId") == client.identity)
        #expect(try redeem(password.otp).status == 401)
        let (refused, wrong) = try client.authenticateOTP(pin: "9999")
        #expect(refused == .incorrectPIN)
        #expect(wrong.otp.utf8.count == 6)
        #expect(wrong.status == .parseError)
        #expect(try redeem(wrong.otp).status == 401)
    }

    @Test func `a permit that is revoked, and given back`() throws {
        let server = try RunningServer()
        let client = try enrolled(server)
        #expect(try client.startAuthentication() == .ok)
        #expect(try server.command("user", "revoke", client.identity).code == 0)
        #expect(try client.authenticate(pin: "1234") == .notAuthorized)
        #expect(try client.startAuthentication() == .revoked)
        #expect(try server.command("user", "restore", client.identity).code == 0)
        #expect(try client.startAuthentication() == .ok)
        #expect(try client.authenticate(pin: "1234") == .ok)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Logins of a client of 2016 at this server.
@Suite(.serialized) struct OldLoginTests {
    @Test func `the first of the day, and another with the permit at hand`() throws {
        let server = try RunningServer()
        let client = try OldClient.enrolled(at: server)
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
        let client = try OldClient.enrolled(at: server, dialect: dialect)
        #expect(try client.startAuthentication() == .ok)
        #expect(try client.authenticate(pin: "1234") == .ok)
        let (status, otp) = try client.authenticateOTP(pin: "1234")
        #expect(status == .ok)
        #expect(try server.peer.post("/otp", ["userId": client.identity, "otp": otp]).status == 200)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// What a running server logs, and with which time.
@Suite(.serialized) struct SecrecyTests {
    @Test func `S13: neither log nor audit holds anything secret`() throws {
        let server = try RunningServer()
        let code = try server.invite("alice")
        let begun = try server.peer.put("/rps/user", ["userId": "alice", "activateCode": code])
        let alice = try ClientRegistration.finish("alice", begun, at: server.peer)
        let host = try server.command("host", "add", "gate").object["secret"] as? String ?? ""
        var secrets = [code, begun.string("regOTT"), alice.mpinID, hex(alice.token), host, "86420"]
        let waiting = try Waiting(at: server.peer)
        secrets += [waiting.code, waiting.webOTT]
        var body = try Login(alice, at: server.peer).body()
        body["OTP"] = true
        let second = try server.peer.post("/rps/pass2", body)
        secrets += [second.string("OTP"), second.string("authOTT"), body["V"] as? String ?? "-"]
        #expect(try Login.redeem(second, at: server.peer).status == 200)
        #expect(try Login.redeem(second, at: server.peer).status == 408)
        #expect(try server.peer.post("/otp", ["userId": "alice", "otp": "x"]).status == 401)
        #expect(try alice.login(pin: "86420", at: server.peer).status == 401)
        for junk in ["{", "{\"mpin_id\":\"\(alice.mpinID)\"}"] {
            for path in ["/rps/pass1", "/rps/pass2", "/rps/user/\(alice.mpinID)", "/rps/access"] {
                _ = try server.peer.post(path, Array(junk.utf8))
            }
        }
        #expect(server.stop() == 0)
        let audit = try Program.run(["audit", "--dir", server.directory]).output
        #expect(audit.contains("login"))
        for secret in secrets {
            #expect(!secret.isEmpty)
            #expect(!audit.contains(secret))
            #expect(!server.logText.contains(secret))
        }
    }

    @Test(arguments: ["Asia/Kolkata", "America/St_Johns"])
    func `S15: every time is UTC, in any time zone of the server`(zone: String) throws {
        let server = try RunningServer(environment: ["TZ": zone])
        let alice = try server.enroll("alice")
        let now = Int(Date().timeIntervalSince1970)
        func isNow(_ milliseconds: Any?) -> Bool { abs((milliseconds as? Int ?? 0) / 1_000 - now) <= 120 }
        let waiting = try Waiting(at: server.peer)
        #expect(isNow(waiting.answer.object["localTimeStart"]))
        let end = waiting.answer.object["localTimeEnd"] as? Int ?? 0
        #expect(isNow(end - 120_000))
        var body = try Login(alice, at: server.peer).body()
        body["OTP"] = true
        let final = try Login.redeem(server.peer.post("/rps/pass2", body), at: server.peer)
        #expect(isNow(final.object["nowTime"]))
        #expect(isNow((final.object["expireTime"] as? Int ?? 0) - 60_000))
        #expect(try alice.permit(at: server.peer).day == now / 86_400)
    }
}

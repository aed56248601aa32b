// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// What a waiting session reveals about its requester.
@Suite struct RequesterTests {
    private func details(_ code: String, at fixture: Fixture) throws -> [String: Any] {
        let answer = try fixture.post("/rps/codeStatus", ["status": "wid", "wid": code])
        return try #require(answer.object["requester"] as? [String: Any])
    }

    private static let claim = ["account": "alice", "service": "sshd", "address": "198.51.100.7"]

    @Test func `a host that shows its secret is believed`() throws {
        let fixture = try Fixture()
        let secret = try fixture.administrator.addHost("gate.example.org")
        let host = fixture.with(["authorization": "Bearer \(secret)"])
        let opened = try host.post("/rps/getAccessNumber", Self.claim)
        #expect(opened.status == 200)
        let said = try details(opened.string("accessNumber"), at: fixture)
        #expect(said["host"] as? String == "gate.example.org")
        #expect(said["account"] as? String == "alice")
        #expect(said["service"] as? String == "sshd")
        #expect(said["address"] as? String == "198.51.100.7")
        #expect(said["verified"] as? Bool == true)
        // It keeps its own sessions, so there is no browser session.
        let waiting = try Waiting(at: host)
        let outcome = try fixture.approve(fixture.enroll(), waiting.code)
        let entered = try waiting.enter(at: host)
        #expect(entered.string("userId") == "alice")
        #expect(entered.headers["set-cookie"] == nil)
        #expect(outcome.answer?.object["logoutData"] == nil)
    }

    @Test func `of all other requesters only the observed address is shown`() throws {
        let fixture = try Fixture()
        for peer in [fixture.with([:]), fixture.with(["authorization": "Basic QWxhZGRpbjpvcGVu"])] {
            let opened = try peer.post("/rps/getAccessNumber", Self.claim)
            let said = try details(opened.string("accessNumber"), at: fixture)
            #expect(said["verified"] as? Bool == false)
            #expect(said["address"] as? String == "uid 1000")
            #expect(Set(said.keys) == ["address", "verified"])
        }
    }

    @Test(arguments: ["", "x", String(repeating: "0", count: 64)])
    func `a wrong secret opens nothing`(secret: String) throws {
        let fixture = try Fixture(configuration: "failures_per_source = 4\n")
        let right = try fixture.administrator.addHost("gate")
        let liar = fixture.with(["authorization": "Bearer \(secret)"])
        for _ in 0..<4 { #expect(try liar.post("/rps/getQrUrl", Self.claim).status == 401) }
        let late = fixture.with(["authorization": "Bearer \(right)"])
        #expect(try late.post("/rps/getQrUrl", Self.claim).status == 200)
        #expect(try liar.post("/rps/getQrUrl", Self.claim).status == 429)
    }

    @Test(arguments: ["[]", "{\"account\":1}", "{\"account\":\"a\\nb\"}", "{\"service\":\"\\u202Etxt\"}"])
    func `text that cannot be shown is refused`(body: String) throws {
        let fixture = try Fixture()
        let secret = try fixture.administrator.addHost("gate")
        let host = fixture.with(["authorization": "Bearer \(secret)"])
        #expect(try host.post("/rps/getAccessNumber", Array(body.utf8)).status == 400)
    }
}

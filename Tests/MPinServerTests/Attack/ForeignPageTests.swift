// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Testing

/// What pages of others can make the browsers of their visitors do.
@Suite struct ForeignPageTests {
    @Test(arguments: [
        ["origin": "https://evil.example"], ["origin": "null"], ["sec-fetch-site": "cross-site"],
        ["sec-fetch-site": "same-site", "origin": "https://login.example.org"],
    ])
    func `no visitor guesses one-time passwords, nor is charged for it`(headers: [String: String]) throws {
        let (fixture, alice) = try Fixture.enrolled(
            configuration: "failures_per_source = 3\n", publicURL: "https://login.example.org")
        var body = try Login(alice, at: fixture).body()
        body["OTP"] = true
        let second = try fixture.post("/rps/pass2", body)
        #expect(try Login.redeem(second, at: fixture).status == 200)
        let visitor = fixture.with(headers)
        for _ in 0..<6 {
            #expect(try visitor.post("/otp", ["userId": "alice", "otp": "x"]).status == 403)
        }
        let password = ["userId": "alice", "otp": second.string("OTP")]
        #expect(try visitor.post("/otp", password).status == 403)
        #expect(try fixture.post("/otp", password).status == 200)
    }

    @Test func `pictures that are links of mails cost their readers no login`() throws {
        let mails = try MailFixture("failures_per_source = 3")
        let alice = try mails.fixture.enroll()
        let link = "/mpinActivate?t=" + String(repeating: "0", count: 32)
        for _ in 0..<3 { #expect(try mails.fixture.get(link).status == 404) }
        #expect(try mails.fixture.get(link).status == 429)
        #expect(try alice.login(at: mails.fixture).status == 200)
    }

    @Test(arguments: [
        ["origin": "https://evil.example"], ["origin": "null"], ["sec-fetch-site": "cross-site"],
        ["sec-fetch-site": "same-site", "origin": "https://sister.example.org"],
    ])
    func `no page of others posts anything, and costs its visitors nothing`(headers: [String: String]) throws {
        let (fixture, alice) = try Fixture.enrolled(
            configuration: "failures_per_source = 3\n", publicURL: "https://login.example.org")
        let waiting = try Waiting(at: fixture)
        let visitor = fixture.with(headers.merging(["content-type": "text/plain"]) { $1 })
        let login = try Login(alice, at: fixture)
        for path in [
            "/rps/pass1", "/rps/pass2", "/rps/codeStatus", "/rps/access", "/rps/accessnumber", "/rps/authenticate",
            "/rps/getAccessNumber", "/rps/getQrUrl", "/rps/setupDone/7b7d", "/mpinAuthenticate", "/mpinRevoke", "/otp",
            "/logout",
        ] {
            for _ in 0..<4 { #expect(try visitor.post(path, login.body(wid: "2000000")).status == 403, "\(path)") }
        }
        for _ in 0..<4 { _ = try visitor.post("/rps/codeStatus", ["status": "wid", "wid": "2000001"]) }
        #expect(
            try fixture.post("/rps/codeStatus", ["status": "wid", "wid": waiting.code]).object["appName"] != nil)
        #expect(try login.finish(at: fixture).status == 200)
        _ = try Waiting(at: fixture.with(["origin": "null", "sec-fetch-site": "same-origin"]))
        // Old web views, and programs other than browsers, send no origin.
        #expect(try alice.login(at: fixture.with(["content-type": "text/plain"])).status == 200)
        #expect(try alice.login(at: fixture.with(["origin": "https://login.example.org"])).status == 200)
    }
}

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
        let fixture = try Fixture(configuration: "failures_per_source = 3\n", publicURL: "https://login.example.org")
        let alice = try fixture.enrol()
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
        let alice = try mails.fixture.enrol()
        let link = "/mpinActivate?t=" + String(repeating: "0", count: 32)
        for _ in 0..<3 { #expect(try mails.fixture.get(link).status == 404) }
        #expect(try mails.fixture.get(link).status == 429)
        #expect(try alice.login(at: mails.fixture).status == 200)
    }
}

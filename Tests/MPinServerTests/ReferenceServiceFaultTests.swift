// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// The faults of the reference server around its protocol, one test each or more, that must not come back.
///
/// All its faults, with the numbers that tests cite (see also ``ReferenceFaultTests`` and ``SecrecyTests``):
/// - S1: a restart with another mail address takes over an identity
/// - S2: naming a waiting session is enough to get a token for it
/// - S3: a pass 2 that was not verified overwrites a waiting session
/// - S4: an attacker who knows an M-Pin ID blocks its user: malformed answers and repeated failures count as wrong PINs
/// - S5: an answer is accepted again for 15 seconds, and logins that overlap spoil each other
/// - S6: expiry removes the index of newer records
/// - S7: a wrong registration token deletes the registration
/// - S8: a restart deletes the registration before it is known whether it succeeds
/// - S9: the address in mails comes from the Host header
/// - S10: the signature for a time permit never expires
/// - S11: lengths of points are not checked
/// - S12: private endpoints can be called from outside, under one key for everything
/// - S13: secrets in logs
/// - S14: waiting logins poll a stale copy; counts are lost with a restart
/// - S15: local time where UTC is meant
/// - S16: an expired result counts as a wrong PIN; malformed input is a server error
/// - S17: other origins may read answers, with credentials
/// - S18: user IDs beyond ASCII crash the verification
@Suite struct ReferenceServiceFaultTests {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    @Test func `S9: no address of this server comes from a request`() throws {
        let headers = ["host": "evil.example", "x-forwarded-host": "evil.example"]
        for (publicURL, link) in [("https://login.example.org", "https://login.example.org#"), (nil, "#")] {
            let fixture = try Fixture(publicURL: publicURL)
            let liar = fixture.with(headers)
            #expect(try liar.post("/rps/getQrUrl", [UInt8]()).string("qrUrl").hasPrefix(link))
            // But for the seed, which is another one each time.
            let settings = try [liar, fixture.with([:])].map { try $0.get("/rps/clientSettings").text }
            let plain = settings.map { $0.prefix(upTo: $0.range(of: "\"seedValue\"")?.lowerBound ?? $0.endIndex) }
            #expect(plain[0] == plain[1] && !settings[0].contains("evil"))
            let service = try liar.get("/service")
            #expect(service.status == (publicURL == nil ? 403 : 200))
            #expect(!service.text.contains("evil"))
        }
    }

    @Test(arguments: ["GET", "POST", "PUT"])
    func `S12: messages between the roles have no route`(method: String) throws {
        let alice = try fixture.enroll()
        let second = try Login(alice, at: fixture).passTwo(at: fixture)
        let body = Array("{\"authOTT\":\"\(second.string("authOTT"))\",\"status\":200,\"activateKey\":\"00\"}".utf8)
        for path in [
            "/serverSecret", "/dta/serverSecret", "/rps/serverSecret", "/user/\(alice.mpinID)", "/authenticate",
            "/loginResult", "/rps/loginResult", "/status", "/dta/status", "/manage/getStackInfo", "/dynamicOptions",
            "/mpinVerify", "/mpinPermitUser", "/apiSettings", "/time", "/dta/apiSettings", "/timePermits",
            "/dta/timePermits",
        ] {
            #expect(try fixture.send(method, path, body).status == 404, "\(path)")
        }
        #expect(try Login.redeem(second, at: fixture).status == 200)
    }

    @Test func `S16: a late answer is not a wrong PIN`() throws {
        let alice = try fixture.enroll()
        let waiting = try Waiting(at: fixture)
        for wid in ["0", waiting.code] {
            let second = try Login(alice, at: fixture).passTwo(at: fixture, wid: wid)
            fixture.clock.advance(61)
            #expect(try Login.redeem(second, at: fixture).status == 408)
            #expect(fixture.bring(second).status == 412)
        }
        #expect(try fixture.administrator.user("alice").devices[0].failures == 0)
    }

    @Test func `S16: an unreadable request is the sender's error`() throws {
        let alice = try fixture.enroll()
        for mpinID in ["00", "7b7d", hex(Array("{\"userID\":1}".utf8)), hex(Array("nonsense".utf8))] {
            let odd = ClientRegistration(user: "alice", mpinID: mpinID, token: alice.token)
            let second = try Login(odd, permit: alice.permit(at: fixture), at: fixture).passTwo(at: fixture)
            #expect(try Login.redeem(second, at: fixture).status == 401)
        }
    }

    @Test func `S17: no page of another origin may read an answer`() throws {
        let foreign = fixture.with([
            "origin": "https://evil.example", "sec-fetch-site": "cross-site", "access-control-request-method": "PUT",
        ])
        for (method, path) in [
            ("GET", "/rps/clientSettings"), ("GET", "/session"), ("POST", "/rps/getAccessNumber"),
            ("POST", "/rps/pass1"), ("POST", "/mpinAuthenticate"), ("GET", "/"), ("OPTIONS", "/"),
            ("OPTIONS", "/mpinAuthenticate"), ("OPTIONS", "/rps/user"), ("OPTIONS", "/nothing"), ("OPTIONS", "*"),
        ] {
            for peer in [foreign, fixture.with([:])] {
                let answer = try peer.send(method, path, [])
                #expect(!answer.headers.keys.contains { $0.hasPrefix("access-control") })
                // Old clients ask before they send anything.
                if method == "OPTIONS" { #expect(answer.status == 200) }
            }
        }
    }

    @Test(arguments: [
        "\u{E4}lice@ex\u{E4}mple.org", "\u{65E5}\u{672C}", "DOM\\bob", "\"quoted\"", "\u{1F600}", "a@b%2F&x=y",
    ])
    func `S18: a user ID is any text`(user: String) throws {
        let enrolled = try fixture.enroll(user)
        #expect(try enrolled.login(at: fixture).string("userId") == user)
        let waiting = try Waiting(at: fixture)
        let device = try fixture.approve(enrolled, waiting.code)
        let entered = try waiting.enter(at: fixture)
        #expect(entered.string("userId") == user)
        let cookie = String(entered.headers["set-cookie"]?.prefix { $0 != ";" } ?? "")
        #expect(try fixture.with(["cookie": cookie]).get("/session").string("userId") == user)
        let data = try #require(device.answer?.object["logoutData"] as? [String: Any])
        #expect(data["userId"] as? String == user)
        #expect(try fixture.post("/logout", data).status == 200)
    }
}

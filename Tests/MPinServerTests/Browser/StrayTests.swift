// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Testing

/// Requests that lead nowhere by themselves, and what old clients expect of them.
@Suite struct StrayTests {
    private static let browser = ["accept": "text/html,application/xhtml+xml,*/*;q=0.8"]

    @Test(arguments: [
        ("https://login.example.org", ""), ("https://example.org/mpin", "/mpin"), (nil, ""),
    ])
    func `a browser at an address without a page gets one that leads on`(_ url: String?, _ root: String) throws {
        let fixture = try Fixture(publicURL: url)
        for (path, status) in [("/nothing", 404), ("/a/b/c", 404), ("/rps/pass1", 405), ("/rps/user/zz", 405)] {
            let page = try fixture.with(Self.browser).get(path)
            #expect(page.status == status, "\(path)")
            #expect(page.text.hasPrefix("<!DOCTYPE html>"))
            #expect(page.text.contains("href=\"\(root)/\""))
            #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
            // Programs read JSON.
            #expect(try fixture.with(["accept": "*/*"]).get(path).object["message"] != nil)
            #expect(try fixture.get(path).object["message"] != nil)
        }
        #expect(try fixture.with(Self.browser).get("/rps/signature/7b7d?regOTT=00").object["message"] != nil)
        #expect(try fixture.with(Self.browser).post("/nothing", []).text.hasPrefix("<!DOCTYPE html>"))
        #expect(try fixture.post("/nothing", []).object["message"] != nil)
    }

    @Test func `a link that would log out leads to the page and ends nothing`() throws {
        let (fixture, alice) = try Fixture.enrolled(publicURL: "https://example.org/mpin")
        let waiting = try Waiting(at: fixture)
        _ = try fixture.approve(alice, waiting.code)
        let cookie = try waiting.enter(at: fixture).headers["set-cookie"]?.prefix { $0 != ";" } ?? ""
        let browser = fixture.with(["cookie": String(cookie)])
        let answer = try browser.get("/logout")
        #expect(answer.status == 302)
        #expect(answer.headers["location"] == "/mpin/")
        #expect(answer.headers["set-cookie"] == nil)
        #expect(try browser.get("/session").string("userId") == "alice")
        #expect(try browser.send("DELETE", "/logout", []).status == 405)
    }
}

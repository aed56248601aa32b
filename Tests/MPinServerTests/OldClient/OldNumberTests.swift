// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Logins by access number and by link, of a client and a browser of 2016 at this server.
@Suite(.serialized) struct OldNumberTests {
    @Test func `a right number, and a logout from afar`() throws {
        let server = try RunningServer()
        let client = try OldClient.enrolled(at: server)
        let browser = try OldBrowser(server)
        #expect(try client.startAuthentication() == .ok)
        #expect(try client.authenticate(pin: "1234", number: browser.waiting.code) == .ok)
        let (answer, seen) = browser.outcome()
        #expect(answer?.string("userId") == client.identity)
        #expect(seen == ["new", "authenticate"])
        #expect(try browser.session().string("userId") == client.identity)
        #expect(client.canLogout)
        #expect(try client.logout())
        #expect(try browser.session().status == 401)
        #expect(!client.canLogout)
        #expect(client.paths.last == "logout")
    }

    @Test func `a wrong PIN for a number, then the right one`() throws {
        let server = try RunningServer()
        let client = try OldClient.enrolled(at: server)
        let browser = try OldBrowser(server)
        #expect(try client.startAuthentication() == .ok)
        #expect(try client.authenticate(pin: "9999", number: browser.waiting.code) == .incorrectPIN)
        #expect(try browser.waiting.status(at: server.peer) == "new")
        #expect(try client.startAuthentication() == .ok)
        #expect(try client.authenticate(pin: "1234", number: browser.waiting.code) == .ok)
        #expect(browser.outcome().answer?.status == 200)
    }

    @Test func `a link that was scanned`() throws {
        let server = try RunningServer(
            configuration: "public_url = https://login.example.org\nservice_name = Example\n"
                + "service_logo_url = https://login.example.org/logo.png\n")
        let client = try OldClient.enrolled(at: server)
        let browser = try OldBrowser(server, link: true)
        let link = browser.waiting.answer.string("qrUrl")
        #expect(link == "https://login.example.org#\(browser.waiting.code)")
        let details = try client.sessionDetails(browser.waiting.code)
        #expect(details.status == .ok)
        #expect(details.name == "Example")
        #expect(details.logo == "https://login.example.org/logo.png")
        #expect(browser.sees("wid"))
        #expect(try client.startAuthentication(accessCode: browser.waiting.code) == .ok)
        let shown = try browser.waiting.poll(at: server.peer)
        #expect(shown.string("status") == "user")
        #expect(shown.string("userId") == client.identity)
        #expect(browser.sees("user"))
        #expect(try client.authenticate(pin: "1234", number: browser.waiting.code) == .ok)
        let (answer, seen) = browser.outcome()
        #expect(answer?.headers["set-cookie"]?.hasPrefix("__Host-mpin_session=") == true)
        #expect(seen == ["new", "wid", "user", "authenticate"])
        #expect(try client.logout())
        #expect(try browser.session().status == 401)
        let unknown = try client.sessionDetails("ad721901608b401eaeb13bcf84992801")
        #expect(unknown.status == .ok)
        #expect(unknown.name.isEmpty)
    }
}

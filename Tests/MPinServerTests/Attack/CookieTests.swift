// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerRoles
import MPinServerStorage
import Testing

/// The cookies of browsers.
@Suite struct CookieTests {
    private struct Protected: Peer {
        let server: LoginServer
        let isTLS: Bool

        func send(_ method: String, _ target: String, _ body: [UInt8]) throws -> Answer {
            let request = Request(
                method: method, target: target, body: body, source: .address("192.0.2.9"),
                isTLS: isTLS)
            return switch server.result(of: server.route(request)) {
            case .now(let response): Answer(response)
            case .later: Answer(status: 0, body: [])
            }
        }
    }

    @Test(arguments: [true, false])
    func `they never travel in clear text, even where no public address is configured`(isTLS: Bool) throws {
        let (fixture, alice) = try Fixture.enrolled()
        let peer = Protected(
            server: try LoginServer(ServerDirectory(fixture.path), clock: fixture.clock.clock), isTLS: isTLS)
        let waiting = try Waiting(at: peer)
        let second = try Login(alice, at: peer).passTwo(at: peer, wid: waiting.code)
        _ = try peer.post("/rps/authenticate", ["mpinResponse": ["authOTT": second.string("authOTT")]])
        let cookie = try #require(waiting.enter(at: peer).headers["set-cookie"])
        #expect(cookie.hasPrefix("__Host-") == isTLS)
        #expect(cookie.components(separatedBy: "; ").contains("Secure") == isTLS)
    }

    @Test func `a browser that logs in again leaves no session behind`() throws {
        let fixture = try Fixture()
        var cookies: [String] = []
        for user in ["alice", "bob"] {
            let browser = fixture.with(cookies.isEmpty ? [:] : ["cookie": cookies[0]])
            let waiting = try Waiting(at: browser)
            #expect(try fixture.approve(fixture.enroll(user), waiting.code).hold != nil)
            let header = try #require(waiting.enter(at: browser).headers["set-cookie"])
            cookies.append(String(header.prefix { $0 != ";" }))
        }
        #expect(try fixture.with(["cookie": cookies[0]]).get("/session").status == 401)
        #expect(try fixture.with(["cookie": cookies[1]]).get("/session").string("userId") == "bob")
    }
}

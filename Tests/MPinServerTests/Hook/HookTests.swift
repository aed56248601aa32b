// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// Registrations that an application of the site decides about: a real server and a real application.
@Suite struct HookTests {
    private let site: Site

    init() throws { site = try Site() }

    /// A server with its application.
    private final class Site {
        let server: RunningServer
        let application: HookPeer

        init(_ lines: String = "") throws {
            // The server chooses its socket; the application learns it before it needs it.
            let link = NSTemporaryDirectory() + "hook-\(UUID().uuidString.prefix(8)).sock"
            application = try HookPeer(socket: link)
            server = try RunningServer(
                configuration: """
                    verify = hook
                    verify_url = http://127.0.0.1:\(application.port)/verify
                    public_url = https://login.example.org
                    \(lines)

                    """)
            symlink(server.socket, link)
            self.link = link
        }

        private let link: String

        deinit { unlink(link) }

        func begin(_ user: String, _ wish: Any, code: String? = nil) throws -> Answer {
            var body: [String: Any] = ["userId": user, "mobile": 1, "deviceName": " lap\u{E000}top", "userData": wish]
            body["activateCode"] = code
            return try server.peer.put("/rps/user", body)
        }

        func signature(_ begun: Answer) throws -> Int {
            try server.peer.share(begun).status
        }

        func devices(_ user: String) throws -> Int {
            (try server.command("user", "show", user).object["devices"] as? [Any])?.count ?? 0
        }
    }

    @Test func `the application activates at once`() throws {
        let begun = try site.begin("alice@example.org", "activate")
        #expect(begun.status == 200 && begun.object["active"] as? Bool == true)
        let alice = try ClientRegistration.finish("alice@example.org", begun, at: site.server.peer)
        #expect(try alice.login(at: site.server.peer).status == 200)
        let question = try #require(site.application.questions.first)
        #expect(question["path"] as? String == "/verify")
        #expect(question["type"] as? String == "application/json; charset=UTF-8")
        #expect(question["userId"] as? String == "alice@example.org")
        #expect(question["mpinId"] as? String == begun.string("mpinId"))
        #expect((question["activateKey"] as? String)?.utf8.count == 64)
        #expect((question["expireTime"] as? String)?.hasSuffix("Z") == true)
        #expect(question["resend"] as? Bool == false)
        #expect(question["deviceName"] as? String == "laptop")
        #expect(question["userData"] as? String == "activate")
        #expect((question["activationURL"] as? String)?.hasPrefix("https://login.example.org/mpinActivate?t=") == true)
    }

    @Test func `the application holds, and activates later by the key it was given`() throws {
        let begun = try site.begin("alice@example.org", "later")
        #expect(begun.status == 200 && begun.object["active"] as? Bool == false)
        #expect(try site.signature(begun) == 401)
        _ = becomes { site.application.questions.count >= 2 }
        #expect(site.application.questions.last?["activated"] as? Int == 200)
        #expect(try site.signature(begun) == 200)
    }

    @Test func `the person activates by the link`() throws {
        let begun = try site.begin("alice@example.org", "hold")
        let link = try #require(site.application.questions.last?["activationURL"] as? String)
        let token = try #require(link.components(separatedBy: "?t=").last)
        let page = try site.server.peer.get("/mpinActivate?t=\(token)")
        #expect(page.status == 200 && page.text.contains("alice@example.org") && page.text.contains("laptop"))
        // Looking at it changes nothing.
        #expect(try site.signature(begun) == 401)
        let wrong = String(token.dropLast()) + (token.hasSuffix("0") ? "1" : "0")
        #expect(try site.server.peer.post("/mpinActivate", Array("t=\(wrong)".utf8)).status == 404)
        #expect(try site.signature(begun) == 401)
        #expect(try site.server.peer.post("/mpinActivate", Array("t=\(token)".utf8)).status == 200)
        let used = try site.server.peer.post("/mpinActivate", Array("t=\(token)".utf8))
        #expect(used.status == 410 && used.text.contains("<h2>Already confirmed</h2>"))
        #expect(try site.signature(begun) == 200)
    }

    @Test func `a key of another registration activates nothing`() throws {
        let mine = try site.begin("mallory@example.org", "hold")
        let key = try #require(site.application.questions.last?["activateKey"] as? String)
        let victim = try site.begin("alice@example.org", "hold")
        for stolen in [key, String(repeating: "0", count: 64)] {
            #expect(
                try site.server.peer.post("/user/\(victim.string("mpinId"))", ["activateKey": stolen]).status == 401)
        }
        #expect(try site.server.peer.post("/user/\(victim.string("mpinId"))", [:]).status == 400)
        #expect(try site.signature(victim) == 401)
        #expect(try site.server.peer.post("/user/\(mine.string("mpinId"))", ["activateKey": key]).status == 200)
        #expect(try site.signature(mine) == 200)
    }

    @Test func `a refusal of the application is one`() throws {
        #expect(try site.begin("alice@example.org", "refuse").status == 403)
        #expect(try site.devices("alice@example.org") == 0)
    }

    @Test func `the application is not asked about a suspended user, who gets the same refusal`() throws {
        let refused = try site.begin("bob@example.org", "refuse")
        let held = try site.begin("alice@example.org", "hold")
        let link = try #require(site.application.questions.last?["activationURL"] as? String)
        let token = try #require(link.components(separatedBy: "?t=").last)
        let key = try #require(site.application.questions.last?["activateKey"] as? String)
        #expect(try site.server.command("user", "revoke", "alice@example.org").code == 0)
        let asked = site.application.questions.count
        for wish in ["activate", "hold"] {
            let answer = try site.begin("alice@example.org", wish)
            #expect(answer.status == 403 && answer.text == refused.text, "\(answer.text)")
        }
        // A registration that was held before is not activated either, restored separately or not.
        for number in [nil, "1"] {
            if let number {
                #expect(try site.server.command("user", "restore", "alice@example.org", "--device", number).code == 0)
            }
            let path = "/user/\(held.string("mpinId"))"
            #expect(try site.server.peer.post(path, ["activateKey": key]).status == 401)
            #expect(try site.server.peer.post("/mpinActivate", Array("t=\(token)".utf8)).status == 404)
            let body = ["userId": "alice@example.org", "regOTT": held.string("regOTT"), "userData": "activate"]
            #expect(try site.server.peer.put("/rps\(path)", body).status == 403)
            #expect(try site.signature(held) != 200)
        }
        #expect(site.application.questions.count == asked)
        // An invitation lets one in; after that, all is as before.
        let invited = try site.server.enroll("alice@example.org")
        #expect(try invited.login(at: site.server.peer).status == 200)
        #expect(try site.begin("alice@example.org", "activate").status == 403)
        #expect(try site.server.command("user", "restore", "alice@example.org").code == 0)
        #expect(try site.begin("alice@example.org", "activate").object["active"] as? Bool == true)
    }

    @Test(arguments: ["redirect", "fail", "nonsense"])
    func `an application that gives no answer registers no user`(wish: String) throws {
        let begun = try site.begin("alice@example.org", wish)
        #expect(begun.status == 503)
        #expect(try site.devices("alice@example.org") == 0)
        // A redirect was not followed.
        #expect(site.application.questions.map { $0["path"] as? String } == ["/verify"])
        #expect(site.server.logText.contains("verify_url failed"))
    }

    @Test func `an application that is away registers no user, and delays no login`() throws {
        let alice = try site.server.enroll("alice")
        let server = site.server.peer
        for user in 0..<4 {
            Thread { _ = try? server.put("/rps/user", ["userId": "bob\(user)", "userData": "slow"]) }.start()
        }
        _ = becomes { site.application.questions.count >= 4 }
        let started = Date()
        for _ in 0..<5 { #expect(try alice.login(at: server).status == 200) }
        #expect(Date().timeIntervalSince(started) < 9)
        site.application.stop()
        let begun = try site.begin("carol@example.org", "activate")
        #expect(begun.status == 503 && begun.headers["retry-after"] != nil)
        #expect(try site.devices("carol@example.org") == 0)
    }

    @Test func `an answer takes ten seconds at most`() throws {
        let started = Date()
        #expect(try site.begin("alice@example.org", "slow").status == 503)
        #expect(9...40 ~= Date().timeIntervalSince(started))
    }

    @Test func `a restart asks again, with what is new`() throws {
        let begun = try site.begin("alice@example.org", "hold")
        let restart: (Any, String?) throws -> Answer = { wish, code in
            var body: [String: Any] = [
                "userId": "alice@example.org", "mobile": 1, "regOTT": begun.string("regOTT"), "userData": wish,
            ]
            body["activateCode"] = code
            return try site.server.peer.put("/rps/user/\(begun.string("mpinId"))", body)
        }
        #expect(try restart("refuse", nil).status == 403)
        #expect(try restart("fail", nil).status == 503)
        #expect(try site.signature(begun) == 401)
        let active = try restart("activate", "own code")
        #expect(active.object["active"] as? Bool == true && active.string("mpinId") == begun.string("mpinId"))
        #expect(site.application.questions.map { $0["resend"] as? Bool } == [false, true, true, true])
        #expect(site.application.questions.last?["activateCode"] as? String == "own code")
        #expect(Set(site.application.questions.compactMap { $0["activateKey"] as? String }).count == 1)
        #expect(try site.signature(begun) == 200)
    }

    @Test func `an invitation needs no application`() throws {
        let alice = try site.server.enroll("alice")
        #expect(try alice.login(at: site.server.peer).status == 200)
        #expect(site.application.questions.isEmpty)
    }

    @Test func `a source asks only so often`() throws {
        let site = try Site("failures_per_source = 3\nfailure_refill_seconds = 3600")
        let statuses = try (0..<4).map { try site.begin("user\($0)", "hold").status }
        #expect(statuses == [200, 200, 200, 429])
        #expect(site.application.questions.count == 3)
    }

    @Test(arguments: [
        "verify = hook", "verify = hook\nverify_url = http://example.org/verify", "verify = hook\nverify_url = ftp://a",
        "verify = hook\nverify_url = https://", "verify = hook\nverify_url = http://127.0.0.1@example.org/",
    ])
    func `a setting that cannot be meant is refused`(lines: String) {
        #expect(throws: ServerError.self) { _ = try Fixture(configuration: lines + "\n") }
    }

    @Test func `without an application no key activates`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        let begun = try fixture.put("/rps/user", ["userId": "alice"])
        let key = String(repeating: "0", count: 64)
        #expect(try fixture.post("/user/\(begun.string("mpinId"))", ["activateKey": key]).status == 404)
    }
}

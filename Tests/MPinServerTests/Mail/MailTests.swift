// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Testing

/// Registration of mail addresses, against a real mail server.
@Suite(.serialized, .enabled(if: MailPeer.isAvailable)) struct MailTests {
    private let mails: MailFixture

    init() throws { mails = try MailFixture() }

    private let user = "alice@example.org"

    @Test func `the code of a mail activates, and its user logs in`() throws {
        let begun = try mails.begin(user)
        #expect(begun.status == 200)
        #expect(begun.object["active"] as? Bool == false)
        #expect(try mails.signature(begun) == 401)
        let mail = try mails.peer.mail()
        #expect(mail.recipients == [user])
        #expect(mail.sender == "login@example.org")
        #expect(mail.headers.contains("To: <\(user)>"))
        #expect(mail.headers.contains("From: M-Pin login <login@example.org>"))
        #expect(mail.headers.contains("Date: Mon, 15 Jun 2026 12:00:00 +0000"))
        #expect(!mail.text.contains("lap"), "a mail repeats nothing that a stranger chose")
        let activated = try mails.again(begun, user, code: mail.digits)
        #expect(activated.status == 200)
        #expect(activated.object["active"] as? Bool == true)
        #expect(activated.string("mpinId") == begun.string("mpinId"))
        let alice = try ClientRegistration.finish(user, begun, at: mails.fixture)
        #expect(try alice.login(at: mails.fixture).string("userId") == user)
        // Used up, with its link.
        let used = try mails.press(mail.token)
        #expect(used.status == 410 && used.text.contains("<h2>Already confirmed</h2>"))
        let audit = try mails.fixture.auditText()
        #expect(audit.contains("activate \(user)"))
        #expect(!audit.contains(mail.digits.replacingOccurrences(of: " ", with: "")) && !audit.contains(mail.token))
    }

    @Test func `looking at the link changes nothing, its button activates once`() throws {
        let begun = try mails.begin(user)
        let mail = try mails.peer.mail()
        #expect(mail.link.hasPrefix(MailFixture.address + "/mpinActivate?t="))
        #expect(mail.token.utf8.count == 32)
        for method in ["GET", "HEAD", "GET"] {
            let page = try mails.fixture.send(method, "/mpinActivate?t=\(mail.token)", [])
            #expect(page.status == 200)
            #expect(page.text.contains(user) && page.text.contains("<h1>M-Pin login</h1>"))
            #expect(page.text.contains("lap&lt;top&gt;"))
            #expect(!page.text.contains(begun.string("mpinId")))
            #expect(!page.text.contains("<script"))
            #expect(page.headers["referrer-policy"] == "no-referrer")
            let policy = page.headers["content-security-policy"] ?? ""
            #expect(policy.contains("default-src 'none'") && policy.contains("form-action 'self'"))
            #expect(!policy.contains("unsafe"))
        }
        #expect(try mails.signature(begun) == 401)
        #expect(try mails.press(mail.token).status == 200)
        #expect(try mails.signature(begun) == 200)
        // Often, without being taken for a guess.
        for _ in 0..<40 {
            for page in [try mails.press(mail.token), try mails.fixture.get("/mpinActivate?t=\(mail.token)")] {
                #expect(page.status == 410 && page.text.contains("<h2>Already confirmed</h2>"))
            }
        }
        // Others' mails leave it as it is, its own end makes it unknown.
        _ = try mails.begin("bob@example.org")
        #expect(try mails.press(mail.token).status == 410)
        mails.fixture.clock.advance(3_600)
        #expect(try mails.press(mail.token).status == 404)
    }

    @Test func `another mail has to wait, longer each time`() throws {
        let key = try DeviceSecret()
        let begun = try mails.begin(user, key: key)
        let first = try mails.peer.mail()
        func again(code: String? = nil) throws -> Answer { try mails.again(begun, user, code: code, key: key) }
        let early = try again()
        #expect(early.status == 429)
        #expect(early.headers["retry-after"] == "30")
        mails.fixture.clock.advance(29)
        #expect(try again().headers["retry-after"] == "1")
        mails.fixture.clock.advance(1)
        let resent = try again()
        #expect(resent.status == 200)
        #expect(resent.string("mpinId") == begun.string("mpinId"))
        let second = try mails.peer.mail(2)
        #expect(try again().headers["retry-after"] == "120")
        // A registration of its own does not get round it, nor does a restart of the server.
        #expect(try mails.begin(user, key: key).status == 429)
        try mails.fixture.restart()
        #expect(try mails.begin(user, key: key).status == 429)
        mails.fixture.clock.advance(120)
        #expect(try again().status == 200)
        #expect(try mails.peer.mail(3).digits.utf8.count == 7)
        mails.fixture.clock.advance(120)
        #expect(try again().headers["retry-after"] == "480")
        // The links of all of them lead there, but only the newest digits do.
        #expect(try again(code: second.digits).status == 403)
        #expect(try mails.press(first.token).status == 200)
        #expect(try again().object["active"] as? Bool == true)
        #expect(mails.peer.staysAt(3))
    }

    @Test func `a client of 2016 that asks too early is answered without a mail`() throws {
        let begun = try mails.begin(user)
        let mail = try mails.peer.mail()
        for _ in 0..<3 {
            let early = try mails.again(begun, user)
            #expect(early.status == 200 && early.string("mpinId") == begun.string("mpinId"))
            #expect(early.object["active"] as? Bool == false)
        }
        #expect(mails.peer.staysAt(1))
        mails.fixture.clock.advance(30)
        #expect(try mails.again(begun, user).status == 200)
        _ = try mails.peer.mail(2)
        #expect(try mails.begin(user).status == 429)
        #expect(try mails.press(mail.token).status == 200)
        #expect(try mails.signature(begun) == 200)
    }

    @Test func `a mail expires with its registration`() throws {
        let mails = try MailFixture("registration_ttl = 60")
        let begun = try mails.begin(user)
        let mail = try mails.peer.mail()
        mails.fixture.clock.advance(60)
        #expect(try mails.fixture.get("/mpinActivate?t=\(mail.token)").status == 404)
        #expect(try mails.press(mail.token).status == 404)
        #expect(try mails.signature(begun) == 400)
        // What was begun again is another registration, with a mail of its own.
        let again = try mails.again(begun, user)
        #expect(again.status == 200)
        #expect(again.string("mpinId") != begun.string("mpinId"))
        #expect(try mails.again(again, user, code: mail.digits).status == 403)
        #expect(try mails.press(mail.token).status == 404)
        #expect(try mails.press(mails.peer.mail(2).token).status == 200)
    }

    @Test func `five wrong codes void the code, not the link`() throws {
        let begun = try mails.begin(user)
        let mail = try mails.peer.mail()
        let wrong = mail.digits.hasPrefix("000") ? "111111" : "000 000"
        for left in [4, 3, 2, 1] {
            let answer = try mails.again(begun, user, code: wrong)
            #expect(answer.status == 403)
            #expect(answer.text.contains("tries left: \(left)\""))
        }
        #expect(try mails.again(begun, user, code: wrong).text.contains("Too many"))
        #expect(try mails.again(begun, user, code: mail.digits).status == 403)
        #expect(try mails.signature(begun) == 401)
        #expect(try mails.press(mail.token).status == 200)
        #expect(try mails.signature(begun) == 200)
    }

    @Test func `a forged code is refused at once and changes nothing`() throws {
        let begun = try mails.begin(user)
        let mail = try mails.peer.mail()
        let other = try mails.begin("mallory@example.org")
        let others = try mails.peer.mail(2)
        // A code is for the registration it was sent for.
        #expect(try mails.again(begun, user, code: others.digits).status == 403)
        #expect(try mails.again(other, "mallory@example.org", code: mail.digits).status == 403)
        #expect(try mails.again(begun, "mallory@example.org", code: others.digits).status == 403)
        for token in [
            String(repeating: "0", count: 32), "", "x", mail.token.uppercased() + "0", begun.string("mpinId"),
        ] {
            #expect(try mails.fixture.get("/mpinActivate?t=\(token)").status == 404)
            #expect(try mails.press(token).status == 404)
        }
        #expect(try mails.press("\(mail.token)&t=\(mail.token)").status == 404)
        #expect(try mails.signature(begun) == 401)
        #expect(try mails.press(mail.token).status == 200)
        // A forged request does not undo that.
        #expect(try mails.press(String(repeating: "0", count: 32)).status == 404)
        _ = try mails.again(begun, user, code: "123456")
        #expect(try mails.again(begun, user).object["active"] as? Bool == true)
        #expect(try mails.signature(begun) == 200)
        #expect(try mails.signature(other) == 401)
        #expect(mails.peer.staysAt(2))
    }

    @Test func `made-up links are soon refused, and stop no true one`() throws {
        let mails = try MailFixture("failures_per_source = 5")
        _ = try mails.begin(user)
        let token = try mails.peer.mail().token
        let wrong = String(repeating: "0", count: 32)
        for _ in 0..<5 { #expect(try mails.press(wrong).status == 404) }
        #expect(try mails.press(wrong).status == 429)
        #expect(try mails.fixture.get("/mpinActivate?t=\(token)").status == 200)
        // A page without a referrer names no origin for its form in browsers that send nothing else about it.
        let old = mails.fixture.with(["origin": "null"])
        #expect(
            try mails.fixture.with(["origin": "https://evil.example"]).post("/mpinActivate", Array("t=\(token)".utf8))
                .status == 403)
        #expect(try old.post("/mpinActivate", Array("t=\(token)".utf8)).status == 200)
        mails.fixture.clock.advance(60)
        #expect(try mails.press(wrong).status == 404)
    }

    @Test func `an invitation still does, and a revoked registration has no use of its mail`() throws {
        let code = try mails.fixture.invite("bob@example.org")
        #expect(
            try ClientRegistration.register("bob@example.org", code: code, at: mails.fixture).login(at: mails.fixture)
                .status
                == 200)
        #expect(mails.peer.staysAt(0))
        let begun = try mails.begin(user)
        let mail = try mails.peer.mail()
        #expect(try mails.fixture.administrator.revoke(user, reason: nil) == 1)
        #expect(try mails.press(mail.token).status == 404)
        #expect(try mails.signature(begun) == 403)
    }
}

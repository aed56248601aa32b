// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// What mails must not be used for, and what happens when they do not get through.
@Suite(.serialized, .enabled(if: MailPeer.isAvailable)) struct MailAbuseTests {
    @Test(arguments: [
        "a@example.org\r\nBcc: b@example.org", "a@example.org\nBcc: b", "a@example.org\u{2028}b@example.org",
        "a b@example.org", "a@example.org,b@example.org", "<a@example.org>", "\"a b\"@example.org", "a@[192.0.2.1]",
        "a%b@example.org", "b!a@example.org", "a@b@example.org", "@example.org", "a@", "a@localhost", ".a@example.org",
        "a..b@example.org", "a@example..org", "a@-example.org", "a@example.1", "zo\u{EB}@example.org",
        "a@ex\u{E4}mple.org", "a/b@example.org", "a;b@example.org", "a@example.org ", "alice",
    ])
    func `only plain addresses get mail`(_ user: String) throws {
        let mails = try MailFixture()
        #expect([400, 403].contains(try mails.begin(user).status))
        #expect(mails.peer.mails.isEmpty)
    }

    @Test func `the name of the service stays one header`() throws {
        let mails = try MailFixture(
            "service_name = Z\u{FC}rich \"<x@y>\", =?utf-8?B?eA==?= und noch viel mehr Namen, die lang sind")
        _ = try mails.begin("alice@example.org")
        let mail = try mails.peer.mail()
        #expect(mail.headers.allSatisfy { $0.utf8.count <= 78 && $0.utf8.allSatisfy { $0 < 0x80 } })
        #expect(mail.headers.filter { $0.hasPrefix("From:") }.count == 1)
        #expect(mail.headers.contains { $0.hasSuffix(" <login@example.org>") })
        #expect(mail.headers.contains("Content-Transfer-Encoding: base64"))
        let body = mail.text.components(separatedBy: "\r\n\r\n").dropFirst().joined()
        let text = String(
            decoding: Data(base64Encoded: body, options: .ignoreUnknownCharacters) ?? Data(), as: UTF8.self)
        #expect(text.contains("Z\u{FC}rich") && text.contains("/mpinActivate?t="))
    }

    @Test func `links point to the configured address, whatever a request calls the host`() throws {
        let mails = try MailFixture()
        let poisoned = mails.fixture.with([
            "host": "evil.invalid", "x-forwarded-host": "evil.invalid", "rps-base-url": "http://evil.invalid",
            "origin": "http://evil.invalid",
        ])
        #expect(try poisoned.put("/rps/user", ["userId": "alice@example.org", "mobile": 1]).status == 200)
        let mail = try mails.peer.mail()
        #expect(mail.link.hasPrefix(MailFixture.address))
        #expect(!mail.text.contains("evil"))
    }

    @Test func `no mailbox is flooded, under any spelling of its address`() throws {
        let mails = try MailFixture("mails_per_mailbox = 3")
        let spellings = ["alice@example.org", "Alice@Example.ORG", "alice+1@example.org", "ALICE+x@example.org"]
        for (number, user) in spellings.enumerated() {
            let source = RequestSource.address("192.0.2.\(number + 1)")
            #expect(try mails.begin(user, from: source).status == (number < 3 ? 200 : 429))
            mails.fixture.clock.advance(600)
        }
        let answer = try mails.begin("alice@example.org")
        #expect(answer.status == 429)
        #expect(Int(answer.headers["retry-after"] ?? "") == 86_400 - 2_400)
        _ = try mails.peer.mail(3)
        #expect(mails.peer.staysAt(3))
        mails.fixture.clock.advance(86_400)
        #expect(try mails.begin("alice@example.org").status == 200)
    }

    @Test func `one source causes a bounded number of mails`() throws {
        let mails = try MailFixture("mails_per_source = 3")
        for number in 1...4 {
            #expect(try mails.begin("user\(number)@example.org").status == (number < 4 ? 200 : 429))
        }
        #expect(try mails.begin("user5@example.org", from: .address("192.0.2.99")).status == 200)
        mails.fixture.clock.advance(3_600)
        #expect(try mails.begin("user4@example.org").status == 200)
    }

    @Test func `mails go to the domains that were listed`() throws {
        let mails = try MailFixture("mail_domains = example.org, Example.COM")
        #expect(try mails.begin("a@example.org").status == 200)
        #expect(try mails.begin("a@EXAMPLE.com").status == 200)
        for domain in ["example.net", "evil.example.org", "example.org.evil.net", "xexample.org"] {
            #expect(try mails.begin("a@\(domain)").status == 403)
        }
        _ = try mails.peer.mail(2)
        #expect(mails.peer.staysAt(2))
    }

    @Test func `the answer is the same for enrolled and other users`() throws {
        let mails = try MailFixture()
        let code = try mails.fixture.invite("alice@example.org")
        _ = try ClientRegistration.register("alice@example.org", code: code, at: mails.fixture)
        let (known, unknown) = (try mails.begin("alice@example.org"), try mails.begin("nemo@example.org"))
        #expect(known.status == unknown.status)
        #expect(Set(known.object.keys) == Set(unknown.object.keys))
        #expect(try mails.begin("alice@example.org").status == 429)
        #expect(try mails.begin("nemo@example.org").status == 429)
    }

    @Test func `a mailbox that does not exist costs nothing but the mail`() throws {
        let mails = try MailFixture()
        let begun = try mails.begin("nobody@example.org")
        #expect(begun.status == 200)
        #expect(try mails.audit(contains: "mail-failed nobody@example.org 192.0.2.7 - the mail server answered 550"))
        #expect(try mails.signature(begun) == 401)
    }

    @Test func `a mail server that is down gets the mail when it is up`() throws {
        let peer = try MailPeer(starts: false)
        let mails = try MailFixture(peer: peer)
        let start = ContinuousClock.now
        let begun = try mails.begin("alice@example.org")
        #expect(begun.status == 200)
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(try mails.signature(begun) == 401)
        usleep(500_000)
        try peer.start()
        let mail = try peer.mail()
        #expect(try mails.press(mail.token).status == 200)
        #expect(try mails.signature(begun) == 200)
        #expect(try mails.audit(contains: "mail alice@example.org"))
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// Settings of mails that could be misunderstood.
@Suite struct MailSettingTests {
    @Test func `a user without a mail address is kept until a code comes, if that is allowed`() throws {
        let mails = try MailFixture("hold_unverified = yes", "mail_domains = example.org")
        for user in ["bob", "bob@example.net"] {
            let begun = try mails.begin(user)
            #expect(begun.status == 200)
            #expect(try mails.signature(begun) == 401)
            #expect(try mails.again(begun, user, code: mails.fixture.invite(user)).status == 200)
            #expect(try mails.signature(begun) == 200)
        }
        #expect(try mails.begin("bob@example.org").status == 200)
        _ = try mails.peer.mail()
        #expect(mails.peer.staysAt(1))
    }

    @Test func `a name that only looks like an address of this host demands TLS`() throws {
        let mails = try MailFixture(host: "127.0.0.1.localhost")
        #expect(try mails.begin("bob@example.org").status == 200)
        #expect(mails.peer.staysAt(0))
    }
}

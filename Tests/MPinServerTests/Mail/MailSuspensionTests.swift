// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Testing

/// A suspended user who asks for a mail.
@Suite(.serialized, .enabled(if: MailPeer.isAvailable)) struct MailSuspensionTests {
    private let user = "alice@example.org"

    @Test func `a revoked user gets a mail about it, and nothing that activates`() throws {
        let mails = try MailFixture()
        let before = try mails.begin(user)
        let token = try mails.peer.mail().token
        #expect(try mails.fixture.administrator.revoke(user, reason: "left in June") == 1)
        mails.fixture.clock.advance(600)
        let begun = try mails.begin(user)
        #expect(begun.status == 200 && begun.object["active"] as? Bool == false)
        let mail = try mails.peer.mail(2)
        #expect(mail.recipients == [user])
        #expect(mail.text.contains("an administrator has suspended this user") && mail.text.contains("left in June"))
        #expect(mail.digits.isEmpty && mail.link.isEmpty)
        #expect(try mails.press(token).status == 404)
        #expect(try mails.fixture.get("/mpinActivate?t=\(token)").status == 404)
        for registration in [before, begun] { #expect([401, 403].contains(try mails.signature(registration))) }
        // A stranger who asks and guesses sees the same as for any user.
        let other = try mails.begin("nemo@example.org")
        #expect(other.status == begun.status && Set(other.object.keys) == Set(begun.object.keys))
        let digits = try mails.peer.mail(3).digits
        let wrong = digits.hasPrefix("000") ? "111111" : "000000"
        #expect(
            try mails.again(begun, user, code: wrong).text
                == mails.again(other, "nemo@example.org", code: wrong).text)
        #expect(try mails.again(begun, user).status == mails.again(other, "nemo@example.org").status)
        // Restored, he has another mail sent for what he has begun.
        #expect(try mails.fixture.administrator.restore(user) == 1)
        mails.fixture.clock.advance(600)
        #expect(try mails.again(begun, user).status == 200)
        let last = try mails.peer.mail(4)
        #expect(try mails.again(begun, user, code: last.digits).object["active"] as? Bool == true)
        #expect(try mails.signature(begun) == 200)
    }

    @Test func `an earlier activation is not handed out, not even when it is restored separately`() throws {
        let mails = try MailFixture()
        let begun = try mails.begin(user)
        #expect(try mails.press(mails.peer.mail().token).status == 200)
        let administrator = try mails.fixture.administrator
        #expect(try administrator.revoke(user, reason: nil) == 1)
        #expect(try mails.signature(begun) == 403)
        #expect(try administrator.restore(user, device: 1) == 1)
        #expect(try mails.signature(begun) == 403)
        _ = try administrator.restore(user)
        #expect(try mails.signature(begun) == 200)
    }

    @Test(arguments: ["Alice@example.org", "alice@EXAMPLE.org", "alice+x@example.org"])
    func `no other spelling of the mailbox gets any further`(spelling: String) throws {
        let mails = try MailFixture()
        let waiting = try mails.begin(spelling)
        let digits = try mails.peer.mail().digits
        _ = try ClientRegistration.register(user, code: mails.fixture.invite(user), at: mails.fixture)
        _ = try mails.fixture.administrator.revoke(user, reason: "fired")
        #expect(try mails.again(waiting, spelling, code: digits).object["active"] as? Bool != true)
        mails.fixture.clock.advance(600)
        let begun = try mails.begin(spelling)
        let mail = try mails.peer.mail(2)
        #expect(mail.text.contains("fired") && mail.digits.isEmpty && mail.link.isEmpty)
        for registration in [waiting, begun] { #expect([401, 403].contains(try mails.signature(registration))) }
    }

    @Test func `an invitation lets one device in, and no mail another`() throws {
        let mails = try MailFixture()
        let old = try ClientRegistration.register(user, code: mails.fixture.invite(user), at: mails.fixture)
        _ = try mails.fixture.administrator.revoke(user, reason: nil)
        let new = try ClientRegistration.register(user, code: mails.fixture.invite(user), at: mails.fixture)
        #expect(try new.login(at: mails.fixture).status == 200)
        #expect(try mails.fixture.get("/rps/timePermit/\(old.mpinID)").status == 410)
        let begun = try mails.begin(user)
        #expect(try mails.peer.mail().link.isEmpty)
        // A code for what waits is good all the same.
        let active = try mails.again(begun, user, code: mails.fixture.invite(user))
        #expect(active.object["active"] as? Bool == true)
        #expect(try mails.signature(begun) == 200)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// Strangers who use up the mails of a mailbox: the requester's count comes first, then the count of all.
@Suite(.serialized, .enabled(if: MailPeer.isAvailable)) struct MailRequesterTests {
    private let user = "alice@example.org"

    private func stranger(_ number: Int) -> RequestSource { .address("198.51.100.\(number)") }

    @Test func `a stranger who asks for mails keeps no user from getting one`() throws {
        let mails = try MailFixture()
        var statuses: [Int] = []
        for _ in 0..<8 {
            statuses.append(try mails.begin(user, from: stranger(1)).status)
            mails.fixture.clock.advance(600)
        }
        #expect(statuses == [200, 200, 200, 200, 429, 429, 429, 429])
        let refused = try mails.begin(user, from: stranger(1))
        #expect(Int(refused.headers["retry-after"] ?? "") == 86_400 - 8 * 600)
        #expect(try mails.begin(user, from: stranger(2)).status == 200)
        _ = try mails.peer.mail(5)
        // The owner gets one at once, without the strangers' delay.
        let key = try DeviceSecret()
        let begun = try mails.begin(user, key: key)
        #expect(begun.status == 200)
        #expect(try mails.again(begun, user, key: key).headers["retry-after"] == "30")
        let mail = try mails.peer.mail(6)
        #expect(try mails.again(begun, user, code: mail.digits, key: key).object["active"] as? Bool == true)
        // Yet there are no more than eight in all, whatever their source.
        #expect(try (3...6).map { try mails.begin(user, from: stranger($0)).status } == [200, 200, 429, 429])
        _ = try mails.peer.mail(8)
        #expect(mails.peer.staysAt(8))
    }

    @Test func `a stranger who types wrong codes keeps no user from typing a right one`() throws {
        let mails = try MailFixture()
        var last: Answer?
        for number in 1...3 {
            let begun = try mails.begin(user, from: stranger(1))
            let digits = try mails.peer.mail(number).digits
            let wrong = digits.hasPrefix("000") ? "111111" : "000000"
            for _ in 1...5 {
                last = try mails.again(begun, user, code: wrong, from: stranger(1))
                #expect(last?.status == 403)
            }
            // From where there were ten of them not even a right one is judged.
            if number == 3 {
                #expect(try mails.again(begun, user, code: digits, from: stranger(1)).status == 403)
            }
            mails.fixture.clock.advance(600)
        }
        #expect(last?.text.contains("Too many wrong codes today: use the link in the mail") == true)
        let begun = try mails.begin(user)
        let mail = try mails.peer.mail(4)
        #expect(try mails.again(begun, user, code: mail.digits).object["active"] as? Bool == true)
        #expect(try mails.signature(begun) == 200)
    }

    @Test func `wrong codes of many sources are fifteen in all`() throws {
        let mails = try MailFixture()
        for number in 1...3 {
            let begun = try mails.begin(user, from: stranger(number))
            let digits = try mails.peer.mail(number).digits
            let wrong = digits.hasPrefix("000") ? "111111" : "000000"
            for _ in 1...5 {
                #expect(try mails.again(begun, user, code: wrong, from: stranger(number)).status == 403)
            }
        }
        let begun = try mails.begin(user)
        let mail = try mails.peer.mail(4)
        #expect(try mails.again(begun, user, code: mail.digits).status == 403)
        #expect(try mails.signature(begun) == 401)
        // The link is not a thing to be guessed.
        #expect(try mails.press(mail.token).status == 200)
        #expect(try mails.signature(begun) == 200)
        mails.fixture.clock.advance(86_400)
        let next = try mails.begin(user)
        #expect(try mails.again(next, user, code: mails.peer.mail(5).digits).object["active"] as? Bool == true)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// How mail servers are reached, and what of the configuration is refused.
@Suite(.serialized, .enabled(if: MailPeer.isAvailable)) struct MailServerTests {
    /// A name of this host, for which TLS is demanded.
    private static let host = "mail.localhost"

    private static func certificate(for name: String = host) throws -> Certificate {
        try Certificate(NSTemporaryDirectory() + "mpin-mail-" + UUID().uuidString.prefix(8), names: "DNS:\(name)")
    }

    private static func password(_ text: String, mode: Int = 0o600) throws -> String {
        let path = NSTemporaryDirectory() + "mpin-mail-" + UUID().uuidString.prefix(8)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private static func remove(_ files: String...) {
        for file in files { try? FileManager.default.removeItem(atPath: file) }
    }

    @Test func `mails go through STARTTLS with a login`() throws {
        let certificate = try Self.certificate()
        let password = try Self.password("secret word\n")
        defer { Self.remove(certificate.file, certificate.key, password) }
        let mails = try MailFixture(
            peer: MailPeer(certificate: certificate), host: Self.host, "smtp_ca_file = \(certificate.file)",
            "smtp_user = mailer", "smtp_password_file = \(password)")
        _ = try mails.begin("alice@example.org")
        let mail = try mails.peer.mail()
        #expect(mail.isProtected)
        #expect(mail.user == "mailer")
    }

    @Test func `no mail without TLS where it is demanded, nor to a server that cannot prove itself`() throws {
        let (certificate, other) = (try Self.certificate(), try Self.certificate())
        let named = try Self.certificate(for: "mail.example.org")
        let password = try Self.password("secret word")
        defer { Self.remove(certificate.file, certificate.key, other.file, other.key, named.file, named.key, password) }
        let clear = try MailFixture(host: Self.host, "smtp_ca_file = \(certificate.file)")
        #expect(try clear.begin("alice@example.org").status == 200)
        let impostor = try MailFixture(
            peer: MailPeer(certificate: other), host: Self.host, "smtp_ca_file = \(certificate.file)",
            "smtp_user = mailer", "smtp_password_file = \(password)")
        #expect(try impostor.begin("alice@example.org").status == 200)
        let misnamed = try MailFixture(
            peer: MailPeer(certificate: named), host: Self.host, "smtp_ca_file = \(named.file)")
        #expect(try misnamed.begin("alice@example.org").status == 200)
        #expect(clear.peer.staysAt(0))
        #expect(impostor.peer.staysAt(0))
        #expect(misnamed.peer.staysAt(0))
    }

    @Test(
        .onSQLite,
        arguments: [
            ("verify = mail", "smtp_url or mail_from is not set"), ("verify = maybe", "invitation, mail or hook"),
            ("smtp_url = http://a", "smtp://"),
            ("smtp_url = smtp://a:0", "smtp://"), ("smtp_url = smtp://a/b", "smtp://"),
            ("smtp_url = smtp://u@a", "smtp://"),
            ("mail_from = x", "mail address"), ("mail_from = a@example.org\\nBcc: b@c.de", "mail address"),
            ("mail_domains = ,", "domains"), ("mail_domains = a b@c", "domains"), ("mails_per_mailbox = 0", "number"),
            ("verify = mail\nmail_from = a@b.cd\nsmtp_url = smtp://[::1]:25", "public address"),
            (
                "verify = mail\nmail_from = a@b.cd\nsmtp_url = smtps://mail.example.org\nsmtp_password_file = /nonexistent",
                "/nonexistent"
            ),
        ])
    func `a configuration that cannot work is refused`(_ text: String, _ part: String) throws {
        do {
            _ = try Fixture(configuration: text + "\n")
            Issue.record("was taken")
        } catch let fault as ServerError {
            #expect(fault.kind == .configuration)
            #expect(fault.message.contains(part), "\(fault.message)")
        }
    }

    @Test func `the administrator sends a test mail`() throws {
        let mails = try MailFixture()
        let administrator = try mails.fixture.administrator
        #expect(try administrator.sendTestMail(to: "alice@example.org") == nil)
        #expect(mails.peer.mails.map(\.recipients) == [["alice@example.org"]])
        #expect(try administrator.sendTestMail(to: "nobody@example.org") == "the mail server answered 550")
        #expect(throws: ServerError.self) { try administrator.sendTestMail(to: "alice") }
        mails.peer.stop()
        let url = "smtp://127.0.0.1:\(mails.peer.port)"
        #expect(
            try administrator.sendTestMail(to: "alice@example.org")
                == "cannot connect to \(url) (smtp_url in server.conf)")
        #expect(throws: ServerError.self) { try Fixture().administrator.sendTestMail(to: "alice@example.org") }
    }

    @Test func `a password that others may read is refused`() throws {
        let password = try Self.password("secret word", mode: 0o644)
        defer { Self.remove(password) }
        let error = #expect(throws: ServerError.self) {
            try MailFixture("smtp_user = mailer", "smtp_password_file = \(password)")
        }
        #expect(error?.message.contains("other users can access ") == true)
    }
}

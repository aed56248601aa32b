// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// Certificates for ssh after a login with the PIN, as ssh-keygen reads them.
@Suite struct SSHCertificateServiceTests {
    /// A server with a CA, and a device of alice, who may log in over ssh.
    private func granted(configuration: String? = nil) throws -> (Fixture, Device, SSHAuthorityKey) {
        let (fixture, alice) = try Fixture.withDevice(configuration: configuration)
        let key = try fixture.administrator.enableSSH().key
        _ = try fixture.administrator.allowSSH("alice", accounts: [])
        return (fixture, alice, key)
    }

    private func ask(_ device: Device, at fixture: Fixture, pin: String = "1234") throws -> Answer {
        try device.login(pin: pin, "sshCertificate", SSHKeyFile.sample, at: fixture)
    }

    /// The time as ssh-keygen shows it, in the time zone of this process.
    private func local(_ seconds: Int64) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "yyyy-MM-dd'T'HH:mm:ss"
        return format.string(from: Date(timeIntervalSince1970: Double(seconds)))
    }

    @Test func `a certificate says who may log in where, and until when`() throws {
        let (fixture, alice, key) = try granted(configuration: "ssh_certificate_seconds = 90\n")
        _ = try fixture.administrator.allowSSH("alice", accounts: ["deploy", "alice", "deploy"])
        let answer = try ask(alice, at: fixture)
        #expect(answer.status == 200 && answer.string("userId") == "alice")
        #expect(answer.object["wrongSinceLastLogin"] as? Int == 0)
        let certificate = answer.string("sshCertificate")
        #expect(certificate.hasPrefix("ssh-ed25519-cert-v01@openssh.com AAAA") && certificate.hasSuffix(" alice/1/"))
        let lines = try SSHKeyFile.lines(certificate)
        #expect(lines.contains("Type: ssh-ed25519-cert-v01@openssh.com user certificate"))
        #expect(lines.contains("Signing CA: ECDSA \(key.fingerprint) (using ecdsa-sha2-nistp256)"))
        #expect(lines.contains("Key ID: \"alice/1/\""))
        let now = fixture.clock.wall
        #expect(lines.contains("Valid: from \(local(now - 300)) to \(local(now + 90))"))
        let start = try #require(lines.firstIndex(of: "Principals:"))
        #expect(
            lines[start...].dropFirst() == [
                "alice", "deploy", "Critical Options: (none)", "Extensions:", "permit-X11-forwarding",
                "permit-agent-forwarding", "permit-port-forwarding", "permit-pty", "permit-user-rc",
            ])
        // The line of the audit log leads from the serial number in sshd's log to the device.
        let serial = try #require(lines.first { $0.hasPrefix("Serial: ") }).dropFirst("Serial: ".count)
        let until = Timestamp(seconds: now + 90).zulu
        #expect(
            try fixture.auditText().contains(
                "ssh-certificate alice uid 1000 alice device 1, serial \(serial), as alice, deploy, until \(until)"))
    }

    @Test func `ssh-keygen reads a thousand certificates, no two of which are alike`() throws {
        let (fixture, alice, _) = try granted()
        let certificates = try (0..<1_000).map { _ in
            fixture.clock.advance(10)
            return try ask(alice, at: fixture).string("sshCertificate")
        }
        #expect(Set(certificates).count == 1_000)
        let lines = try SSHKeyFile.lines(certificates.joined(separator: "\n"))
        let serials = lines.filter { $0.hasPrefix("Serial: ") }.compactMap { Int64($0.dropFirst("Serial: ".count)) }
        #expect(serials.count == 1_000 && Set(serials).count == 1_000)
        #expect(lines.count { $0.hasPrefix("Type: ssh-ed25519-cert-v01@openssh.com") } == 1_000)
    }

    @Test func `a key ID has no blank, no further slash, and nothing but ASCII`() throws {
        let fixture = try Fixture()
        let user = "zo\u{EB}/1/x-(serial-7)@example.org"
        let device = try fixture.device(user, named: "a/b \u{FC}\n(serial 7)")
        _ = try fixture.administrator.enableSSH()
        _ = try fixture.administrator.allowSSH(user, accounts: ["zoe"])
        let lines = try SSHKeyFile.lines(ask(device, at: fixture).string("sshCertificate"))
        #expect(lines.contains("Key ID: \"zo--1-x-(serial-7)@example.org/1/a-b--(serial-7)\""))
    }

    @Test func `without CA, account or good standing, the right PIN gets no certificate`() throws {
        let (fixture, alice) = try Fixture.withDevice()
        let administrator = try fixture.administrator
        #expect(try ask(alice, at: fixture).status == 422)
        _ = try administrator.allowSSH("alice", accounts: [])
        #expect(try ask(alice, at: fixture).status == 422)
        _ = try administrator.enableSSH()
        #expect(try ask(alice, at: fixture).status == 200)
        try administrator.denySSH("alice")
        #expect(try ask(alice, at: fixture).status == 422)
        _ = try administrator.allowSSH("alice", accounts: [])
        #expect(try ask(alice, at: fixture, pin: "9999").status == 401)
        #expect(try ask(alice, at: fixture).status == 200)
        // Neither the revoked device, nor one that was invited although its user is suspended.
        _ = try administrator.revoke("alice", device: nil, reason: nil)
        #expect(try ask(alice, at: fixture).status == 403)
        let other = try fixture.device("alice")
        #expect(try other.login(at: fixture).status == 200)
        #expect(try ask(other, at: fixture).status == 422)
        _ = try administrator.restore("alice", device: nil)
        #expect(try ask(other, at: fixture).status == 200)
        try administrator.disableSSH()
        #expect(try ask(other, at: fixture).status == 422)
        // Another CA needs no further permission of the users.
        _ = try administrator.enableSSH()
        #expect(try ask(other, at: fixture).status == 200)
        _ = try administrator.purge("alice")
        #expect(try administrator.sshAccounts().isEmpty)
        #expect(try fixture.auditText().components(separatedBy: "ssh-certificate ").count == 1 + 4)
    }

    @Test func `a user with too many certificates waits, and no certificate lacks its event`() throws {
        let (fixture, alice, _) = try granted()
        let statuses = try (0..<40).map { _ in try ask(alice, at: fixture).status }
        #expect(statuses == Array(repeating: 200, count: 30) + Array(repeating: 429, count: 10))
        #expect(try fixture.auditText().components(separatedBy: "ssh-certificate ").count == 1 + 30)
        #expect(try alice.login(at: fixture).status == 200)
        fixture.clock.advance(10)
        #expect(try ask(alice, at: fixture).status == 200)
    }

    /// Texts that are not the Base64 of an `ssh-ed25519` key.
    private static let malformed: [String] = {
        let good = SSHKeyFile.sample
        return [
            "", SSHKeyFile.other, String(good.dropLast()), good + "=", String(good.dropLast(2)) + "==",
            String(good.dropLast()) + "-", good.replacingOccurrences(of: "AAAAIB", with: "AAAAJB"),
            good.replacingOccurrences(of: "AAAAIB", with: "AAAAIQ"), String(repeating: "A", count: 60_000),
        ]
    }()

    @Test(arguments: malformed) func `a key of another form is malformed, and nothing is judged`(key: String) throws {
        let (fixture, alice, _) = try granted()
        for pin in ["1234", "9999"] {
            #expect(try alice.login(pin: pin, "sshCertificate", key, at: fixture).status == 400)
        }
        #expect(try fixture.shown().failures == 0)
    }

    @Test func `a login of 2016 gets no certificate`() throws {
        let (fixture, _, _) = try granted()
        let bob = try fixture.enroll("bob")
        _ = try fixture.administrator.allowSSH("bob", accounts: [])
        // The first request shows that the form of the second one is right.
        for (action, status) in [("devices", 200), ("sshCertificate", 400)] {
            let second = try Login(bob, at: fixture).passTwo(at: fixture)
            let request: [String: Any] = [
                "mpinResponse": ["authOTT": second.string("authOTT")], "action": action,
                "argument": SSHKeyFile.sample,
            ]
            #expect(try fixture.post("/mpinOwner", request).status == status, "\(action)")
        }
    }
}

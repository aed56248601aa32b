// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `mpin-server status` and `mpin-server config check`.
@Suite(.serialized) struct StatusCommandTests {
    @Test func `status shows a running server and what it has`() throws {
        let server = try RunningServer(configuration: "public_url = https://mpin.example.org\ntrusted_proxy = nobody\n")
        _ = server.stop()
        let status = server.directory + "/status.sock"
        try server.start(options: ["--status", "unix:\(status)"])
        let alice = try server.enroll("alice")
        for _ in 0..<3 { _ = try alice.login(pin: "9999", at: server.peer) }
        #expect(try server.enroll("bob").login(at: server.peer).status == 200)
        let before = try server.command("status").object
        #expect(before["running"] as? Bool == true && before["process"] as? Int == Int(server.processIdentifier))
        #expect(before["users"] as? Int == 2 && before["devices"] as? Int == 1 && before["blockedDevices"] as? Int == 1)
        #expect(before["program"] as? String == "version \(try version()) on unix:\(server.socket)")
        #expect(before["publicURL"] as? String == "https://mpin.example.org")
        #expect(before["fault"] == nil && before["lastBackup"] == nil, "\(before)")
        #expect(try server.command("backup", server.directory + "/copy").code == 0)
        #expect(try server.command("status").object["lastBackup"] is String)
        try FileManager.default.removeItem(atPath: server.socket)
        let broken = try Program.run(["status", "--dir", server.directory]).output
        #expect(
            broken.contains("Health: listener: unix:\(server.socket): the socket file no longer exists"), "\(broken)")
        #expect(broken.contains("Devices: 1 can log in, 1 blocked"), "\(broken)")
        server.kill()
        let stopped = try Program.run(["status", "--dir", server.directory]).output
        #expect(stopped.hasPrefix("Running: no\nStart it: "), "\(stopped)")
    }

    private func version() throws -> String {
        try Program.run(["--version"]).output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test(arguments: [
        ("otp_ttl = 60", []),
        ("otp_tll = 60\notp_ttl = x", ["server.conf:1: unknown key 'otp_tll'", "server.conf:2:"]),
        ("verify = mail", ["smtp_url or mail_from is not set"]),
        ("verify = hook", ["'verify = hook' needs the application's address"]),
        ("listen = 0.0.0.0:443", ["0.0.0.0:443 is not a loopback address, so it requires TLS"]),
    ])
    func `config check names every error`(_ text: String, _ errors: [String]) throws {
        let server = try RunningServer()
        try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: server.directory + "/server.conf"))
        let run = try Program.run(["config", "check", "--dir", server.directory])
        #expect(run.code == (errors.isEmpty ? 0 : 78), "\(run)")
        for error in errors { #expect(run.errors.contains(error), "\(run)") }
    }

    @Test(arguments: [
        ("", false), ("public_url = https://mpin.example.org", true), ("public_url = http://localhost", false),
    ])
    func `an invitation has the command for another machine`(_ setting: String, _ isKnown: Bool) throws {
        let server = try RunningServer(configuration: setting + "\n")
        let text = try Program.run(["invite", "al$ice", "--dir", server.directory]).output
        let command = "sudo mpin-enroll register --identity 'al$ice'"
        #expect(
            text.contains("On that device, run this, and paste the first line:\n\(command)\n") == isKnown, "\(text)")
        #expect(text.hasPrefix("mpin.example.org/") == isKnown, "\(text)")
        #expect(try server.command("invite", "al$ice").object["next"] as? String == (isKnown ? command : nil))
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Testing

/// The output of the administrator's commands about users and devices, and their exit codes.
@Suite struct StandingCommandTests {
    private func run(_ server: RunningServer, _ arguments: String...) throws -> Program.Result {
        try Program.run(arguments + ["--dir", server.directory])
    }

    /// Runs the command that a text ends with.
    private func follow(_ text: String) throws -> Program.Result {
        let start = try #require(text.range(of: "mpin-server ", options: .backwards))
        let line = text[start.upperBound...].split(separator: "\n")[0]
        return try Program.run(at: "/bin/sh", ["-c", "exec \(Program.path) \(line)"])
    }

    @Test func `wrong PINs are shown by both counts`() throws {
        let (server, alice) = try RunningServer.enrolled()
        func device() throws -> [String: Any] {
            try #require((server.command("user", "show", "alice").object["devices"] as? [[String: Any]])?.first)
        }
        #expect(try alice.login(at: server.peer).status == 200)
        #expect(try run(server, "user", "show", "alice").output.contains("wrong PINs") == false)
        for pin in ["9999", "9999", "1234", "9999"] { _ = try alice.login(pin: pin, at: server.peer) }
        let text = try run(server, "user", "show", "alice").output
        let line = "wrong PINs: 1 since the last login, 3 in 30 days (limit 100). Tries left: 2"
        #expect(text.contains(line), "\(text)")
        #expect(try device()["wrongSinceLastLogin"] as? Int == 1 && device()["recentWrong"] as? Int == 3)
        let object = try server.command("user", "show", "alice").object
        #expect(object["maxRecentWrongAttempts"] as? Int == 100 && object["recentWrongDays"] as? Int == 30)
        // Lifting a block hides no wrong PIN that the owner has not seen.
        for _ in 0..<2 { _ = try alice.login(pin: "9999", at: server.peer) }
        #expect(try server.command("user", "unblock", "alice").code == 0)
        #expect(try device()["wrongSinceLastLogin"] as? Int == 3 && device()["recentWrong"] as? Int == 0)
        #expect(try device()["attemptsLeft"] as? Int == 3)
    }

    @Test func `a command with nothing to change reports that, with the next step`() throws {
        let server = try RunningServer()
        _ = try server.enroll("alice")
        for (command, message) in [
            (["unblock", "alice"], "no device of alice is blocked"),
            (["unblock", "alice", "--device", "1"], "device 1 of alice is not blocked and has no wrong PINs"),
            (["unblock", "alice", "--device", "7"], "there is no device 7 of alice"),
            (["revoke", "alice", "--device", "7"], "there is no device 7 of alice"),
            (["restore", "alice", "--device", "7"], "there is no device 7 of alice"),
            (["restore", "alice", "--device", "1"], "device 1 of alice is not revoked"),
            (["restore", "alice"], "alice is not suspended"),
            (["unblock", "nobody"], "no such user: nobody"),
        ] {
            let result = try Program.run(["user"] + command + ["--dir", server.directory])
            #expect(result.code == 67 && result.errors.contains(message), "\(command): \(result.errors)")
            #expect(result.output.isEmpty)
            let next = try follow(result.errors)
            #expect(next.code == 0 && next.output.contains("alice"), "\(result.errors)")
        }
        let object = try server.command("user", "unblock", "alice", "--device", "7")
        #expect((object.object["error"] as? [String: Any])?["code"] as? String == "NO_SUCH_DEVICE")
        let none = try server.command("user", "unblock", "alice")
        #expect((none.object["error"] as? [String: Any])?["code"] as? String == "NOTHING_TO_CHANGE")
        #expect(try server.command("user", "unblock", "alice", "--device", "x").code == 64)
    }

    @Test func `a user without a device is suspended and restored as well`() throws {
        let server = try RunningServer()
        #expect(try server.command("invite", "alice").code == 0)
        let revoked = try run(server, "user", "revoke", "alice").output
        #expect(revoked.hasPrefix("alice: 0 devices revoked\nThe user is suspended. Undo: "), "\(revoked)")
        #expect(revoked.contains("Open invitations voided: 1"), "\(revoked)")
        #expect(try run(server, "user", "list").output.contains("SUSPENDED,REVOKED"))
        #expect(try server.command("invite", "alice").code == 0)
        #expect(try run(server, "user", "list").output.contains("SUSPENDED,INVITED"))
        let again = try run(server, "user", "revoke", "alice").output
        #expect(again.contains("The user is suspended (as before)."), "\(again)")
        let restored = try follow(again)
        #expect(
            restored.code == 0 && restored.output == "alice: 0 devices restored\nThe suspension has ended.\n",
            "\(restored.errors)")
        #expect(try run(server, "user", "restore", "alice").code == 67)
        #expect(try !run(server, "user", "list").output.contains("SUSPENDED"))
    }

    @Test func `the command that restores one device of a suspended user names the other possibilities`() throws {
        let (server, alice) = try RunningServer.enrolled()
        #expect(try alice.login(at: server.peer).status == 200)
        #expect(try server.command("user", "revoke", "alice").code == 0)
        let restored = try run(server, "user", "restore", "alice", "--device", "1").output
        let line = "The user stays suspended: a new device needs an invitation."
        #expect(restored.contains(line), "\(restored)")
        #expect(!restored.contains("has ended"))
        let listed = try run(server, "user", "list").output
        #expect(listed.contains("SUSPENDED,REGISTERED"), "\(listed)")
        #expect(try follow(restored).output.contains("The suspension has ended."))
    }

    @Test func `revoked, held back and restored, with the commands that lead there`() throws {
        let server = try RunningServer()
        let devices = try (0..<3).map { _ in try server.enroll("alice") }
        for device in devices { #expect(try device.login(at: server.peer).status == 200) }
        let stolen = try run(server, "user", "revoke", "alice", "--device", "2", "--reason", "stolen").output
        #expect(stolen.hasPrefix("alice: device 2 revoked\n"), "\(stolen)")
        let revoked = try server.command("user", "revoke", "alice")
        #expect(revoked.object["revoked"] as? Int == 2 && revoked.object["suspended"] as? Bool == true)
        let shown = try run(server, "user", "show", "alice").output
        #expect(shown.hasPrefix("alice: REVOKED\n  suspended 20"), "\(shown)")
        #expect(shown.contains("device 2 test: REVOKED") && shown.contains("(stolen)"), "\(shown)")
        #expect(shown.contains("mpin-server user restore alice --dir \(server.directory)"), "\(shown)")
        let invited = try run(server, "invite", "alice").output
        #expect(invited.contains("alice is suspended. The code enrolls one device anyway."), "\(invited)")
        // The command that the invitation names.
        let restored = try follow(invited).output
        #expect(restored.hasPrefix("alice: 2 devices restored\n"), "\(restored)")
        #expect(restored.contains("\n1 device stays revoked. See: "), "\(restored)")
        #expect(try follow(restored).output.contains("device 2 test: REVOKED"))
        #expect(try devices[0].login(at: server.peer).status == 200)
        #expect(try server.peer.get("/rps/timePermit/\(devices[1].mpinID)").status == 410)
        #expect(
            try run(server, "user", "restore", "alice", "--device", "2").output.hasPrefix("alice: device 2 restored\n"))
        #expect(try devices[1].login(at: server.peer).status == 200)
        let audit = try run(server, "audit", "--user", "alice").output
        for part in ["device 2: stolen", "user suspended, devices 1, 3", "user no longer suspended, devices 1, 3"] {
            #expect(audit.contains(part), "\(part): \(audit)")
        }
    }
}

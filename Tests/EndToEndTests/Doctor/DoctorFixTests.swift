// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// `doctor --fix`, which changes modes, and only of files that no other user can have put there.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct DoctorFixTests {
        @Test func `fix sets modes and nothing else, once`() throws {
            let spare = try DoctorTests.healthy()
            let store = spare.machine.store, token = store + "/users/\(SpareMachine.account).json"
            for name in [
                "a mistyped argument", "a copy of a token", "an open token", "an open store",
                "a configuration that all users may write",
            ] {
                try DoctorTests.faults.first { $0.name == name }?.make(spare)
            }
            let stack = try spare.read("/etc/pam.d/sudo"), content = try Data(contentsOf: URL(fileURLWithPath: token))
            #expect(try DoctorTests.examined(spare).0.status == 1)
            #expect(spare.mode(store) == 0o755)
            let first = try DoctorTests.examined(spare, "--fix").0
            #expect((try first.json()["mended"] as? [String])?.count == 4, "\(first.all)")
            #expect(spare.mode(spare.place("/etc/mpin/mpin.conf")) == 0o644)
            #expect(spare.mode(store) == 0o700 && spare.mode(token) == 0o600 && spare.mode(token + ".copy") == 0o600)
            #expect(try Data(contentsOf: URL(fileURLWithPath: token)) == content)
            // Only the administrator can fix the stack.
            #expect(first.status == 1)
            #expect(try spare.read("/etc/pam.d/sudo") == stack)
            let second = try DoctorTests.examined(spare, "--fix").0
            #expect(try second.json()["mended"] == nil, "\(second.all)")
            #expect(second.status == 1)
        }

        @Test func `fix follows no link that was planted`() throws {
            let spare = try DoctorTests.healthy()
            let store = spare.machine.store, users = store + "/users",
                elsewhere = spare.machine.directory + "/elsewhere"
            try #require(mkdir(elsewhere, 0o755) == 0)
            for name in ["passwd", "\(SpareMachine.account).json"] {
                try spare.machine.write("x", to: "/elsewhere/" + name)
            }
            // While others can change the store, one of them leaves a link, and a second name of another file.
            try #require(chmod(store, 0o777) == 0)
            try #require(rename(users, store + "/users.old") == 0 && symlink(elsewhere, users) == 0)
            try #require(link(elsewhere + "/passwd", store + "/copy") == 0)
            try spare.machine.write("x", to: "/foreign")
            try #require(rename(spare.machine.directory + "/foreign", store + "/foreign") == 0)
            try #require(chmod(store + "/foreign", 0o644) == 0 && chown(store + "/foreign", 63_999, 63_999) == 0)
            try #require(chmod(elsewhere + "/passwd", 0o644) == 0)
            try #require(chmod(elsewhere + "/\(SpareMachine.account).json", 0o644) == 0)
            let open = try DoctorTests.examined(spare, "--fix").0
            // After the store is closed, the links are still there.
            try #require(chmod(store, 0o700) == 0)
            let run = try DoctorTests.examined(spare, "--fix").0
            #expect(open.status == 1 && run.status == 1, "\(open.all) \(run.all)")
            #expect(spare.mode(elsewhere + "/passwd") == 0o644, "\(run.all)")
            #expect(spare.mode(elsewhere + "/\(SpareMachine.account).json") == 0o644, "\(run.all)")
            #expect(spare.mode(store + "/foreign") == 0o644, "\(run.all)")
            #expect(run.output.contains("users is a symbolic link"), "\(run.all)")
            #expect(!run.output.contains("users/passwd"), "\(run.all)")
        }

        @Test func `fix changes nothing in a directory that is not a store`() throws {
            let spare = try DoctorTests.healthy()
            let mistaken = spare.machine.directory + "/mistaken"
            try #require(mkdir(mistaken, 0o755) == 0 && chmod(mistaken, 0o755) == 0)
            for name in ["passwd", "group"] {
                try spare.machine.write("x", to: "/mistaken/" + name)
                try #require(chmod(mistaken + "/" + name, 0o644) == 0)
            }
            let run = try DoctorTests.examined(spare, "--store", mistaken, "--fix").0
            #expect(try run.status == 1 && run.json()["mended"] == nil, "\(run.all)")
            #expect(!run.output.contains("mistaken/passwd") && !run.output.contains("mistaken/group"), "\(run.all)")
            #expect(spare.mode(mistaken) == 0o755, "\(run.all)")
            #expect(spare.mode(mistaken + "/passwd") == 0o644 && spare.mode(mistaken + "/group") == 0o644)
        }

        @Test func `fix leaves alone what PAM's links lead to`() throws {
            let spare = try DoctorTests.healthy()
            let elsewhere = spare.machine.directory + "/elsewhere"
            try #require(mkdir(elsewhere, 0o755) == 0)
            try spare.machine.write("auth required pam_unix.so\n", to: "/elsewhere/kiosk")
            try #require(chmod(elsewhere, 0o777) == 0 && chmod(elsewhere + "/kiosk", 0o666) == 0)
            try #require(symlink(elsewhere + "/kiosk", spare.place("/etc/pam.d/kiosk")) == 0)
            let run = try DoctorTests.examined(spare, "--fix").0
            #expect(
                run.status == 1 && run.output.contains("elsewhere/kiosk is writable by users other than root"),
                "\(run.all)")
            #expect(spare.mode(elsewhere) == 0o777 && spare.mode(elsewhere + "/kiosk") == 0o666, "\(run.all)")
        }
    }
}

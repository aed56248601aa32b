// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The server learns of a removal only if the local record can be removed, and a removal without it is never
    /// silent.
    @Suite struct RemovalTests {
        private func isInForce(_ machine: Machine) throws -> Bool {
            try machine.enroll("test", pin: "4962").status == 0
        }

        @Test(.enabled(if: PrivateSystem.isPossible)) func `with a read-only store, nothing is sent to the server`()
            throws
        {
            let machine = try Machine.enrolled()
            let mounts = "mount --bind \(machine.store) \(machine.store) && mount -o remount,ro,bind \(machine.store)"
            let run = try Run(
                Launcher.namespace(mounts) + [Products.enroll] + machine.call("remove")
                    + ["--yes", "--pin-file", machine.pinFile("4962")])
            #expect(run.status == 74, "\(run.all)")
            #expect(run.errors.contains("\(machine.store)/users cannot be changed: Read-only"), "\(run.errors)")
            #expect(try isInForce(machine))
        }

        @Test func `no data of the account remains, and others still work`() throws {
            let machine = try Machine.enrolled()
            try #require(
                try machine.enroll("register", "--code", machine.invitation(for: "bob"), pin: "4962", identity: "bob")
                    .status == 0)
            let users = machine.store + "/users", lock = machine.account + ".lock"
            func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: users).sorted() }
            // The account has another registration, whose changes take the lock.
            #expect(try machine.enroll("remove", "--yes", pin: "4962").status == 0)
            #expect(try names().contains(lock) && names().contains(machine.account + ".json"))
            #expect(try machine.enroll("remove", "--yes", pin: "4962", identity: "bob").status == 0)
            #expect(try names() == [])
            try machine.register()
            #expect(try isInForce(machine))
        }

        @Test func `without the server a script needs --local-only`() throws {
            let machine = try Machine.enrolled()
            machine.kill()
            let run = try machine.enroll("remove", "--yes", pin: "4962")
            #expect(run.status == 69 && run.errors.contains("mpin-enroll remove --local-only"), "\(run.all)")
            #expect(FileManager.default.fileExists(atPath: machine.record))
            #expect(try machine.enroll("remove", "--yes", "--local-only").status == 0)
            #expect(!FileManager.default.fileExists(atPath: machine.record))
        }

        @Test(arguments: ["y", "n"]) func `without the server the user is asked`(answer: String) throws {
            let machine = try Machine.enrolled()
            machine.kill()
            let terminal = try Terminal(Products.enroll, machine.call("remove"))
            terminal.answer("Remove the enrollment of alice", "y")
            // A login signed by the device starts with the PIN.
            terminal.answer("PIN for", "4962")
            terminal.answer("Remove it from this machine only? [y/N] ", answer)
            #expect(terminal.end() == (answer == "y" ? 0 : 130), "\(terminal.screen)")
            #expect(FileManager.default.fileExists(atPath: machine.record) == (answer == "n"))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// A server that was set up again knows no registration. The message reports this, and no revocation.
    @Suite struct OtherServerTests {
        @Test func `a new server does not know a Milagro registration`() throws {
            let machine = try Machine.enrolled(hasKey: false)
            try machine.setUpAnew()
            let test = try machine.enroll("test", pin: "4962")
            #expect(test.status == 83, "\(test.all)")
            #expect(test.errors.contains("does not know the enrollment of alice. Possible reasons"), "\(test.errors)")
            #expect(test.errors.contains("Or another server is at this address"), "\(test.errors)")
            #expect(test.errors.contains("mpin-enroll recover"), "\(test.errors)")
            let status = try machine.enroll("status")
            for text in [test.errors, status.output] {
                #expect(!text.contains("mpin-enroll test") && !text.contains("has revoked"), "\(text)")
            }
            // Nothing was sent that the new server could have checked.
            let audit = try machine.administer("audit").output
            #expect(!audit.contains("\twrong-pin\t") && !audit.contains("\tlogin\t"), "\(audit)")
            let register = try machine.enroll("register", "--code", machine.invitation(), pin: "4962")
            #expect(register.status == 83 && register.errors.contains("mpin-enroll recover"), "\(register.all)")
            // The server refuses the time permit, so the PIN is not asked for.
            let terminal = try Terminal(Products.enroll, machine.call("test"))
            #expect(terminal.shows("does not know the enrollment") && !terminal.screen.contains("PIN for"))
            #expect(terminal.end() == 83, "\(terminal.screen)")
            let recover = try machine.enroll("recover", "--code", machine.invitation(), pin: "7385")
            #expect(recover.status == 0 && !recover.output.contains("has not revoked"), "\(recover.all)")
            #expect(try machine.enroll("test", pin: "7385").status == 0)
        }

        @Test func `a registration with a device key is recovered at a new server only with its code`() throws {
            let machine = try Machine.enrolled()
            let record = try String(contentsOfFile: machine.record, encoding: .utf8)
            try machine.setUpAnew()
            // Settings decide nothing about the login, and its answer is signed with another key.
            for _ in 1...2 {
                let test = try machine.enroll("test", pin: "4962")
                #expect(test.status == 69 && test.errors.contains("did not sign its answer"), "\(test.all)")
                #expect(!test.errors.contains("recover"), "\(test.all)")
            }
            let refused = try machine.enroll("recover", pin: "7385")
            #expect(refused.status == 69 && refused.errors.contains("has another key"), "\(refused.all)")
            #expect(try String(contentsOfFile: machine.record, encoding: .utf8) == record)
            let code = try machine.invitation()
            let unasked = try machine.enroll("recover", "--code", code, pin: "7385")
            #expect(unasked.status == 66 && unasked.errors.contains("has another key than before"), "\(unasked.all)")
            #expect(try String(contentsOfFile: machine.record, encoding: .utf8) == record)
            // What was begun with the code stays, and the next call asks again.
            for isAgreed in [false, true] {
                let terminal = try Terminal(
                    Products.enroll, machine.call("recover", options: isAgreed ? [] : ["--code", code]))
                terminal.answer("Replace the enrollment with one at this server?", isAgreed ? "y" : "n")
                if isAgreed {
                    terminal.answer("New PIN", "7385")
                    terminal.answer("Retype the ", "7385")
                }
                #expect(terminal.end() == (isAgreed ? 0 : 130), "\(terminal.screen)")
                #expect(try (String(contentsOfFile: machine.record, encoding: .utf8) == record) == !isAgreed)
            }
            #expect(try machine.enroll("test", pin: "7385").status == 0)
        }

        @Test func `a server restored from an older backup is reported`() throws {
            let machine = try Machine.enrolled()
            let backup = machine.directory + "/backup"
            try #require(try machine.administer("backup", backup).status == 0)
            try #require(try machine.enroll("recover", "--code", machine.invitation(), pin: "7385").status == 0)
            machine.kill()
            let restored = try machine.administer("restore", backup)
            try #require(restored.status == 0, "\(restored.all)")
            try machine.start()
            let test = try machine.enroll("test", pin: "7385")
            #expect(test.status == 84, "\(test.all)")
            #expect(test.errors.contains("the server was restored from an older backup"), "\(test.errors)")
            let register = try machine.enroll("register", "--code", machine.invitation(), pin: "7385")
            #expect(register.status == 84, "\(register.all)")
            #expect(
                register.errors.contains(
                    "Possible reasons: the server was set up again, was restored from an older backup"),
                "\(register.errors)"
            )
            let status = try machine.enroll("status").output
            #expect(status.contains("state     out of date at the last login (20"), "\(status)")
            #expect(
                status.contains(
                    "reason    Possible reasons: the server was set up again, was restored"),
                "\(status)")
            #expect(status.split(separator: "\n").last?.contains("mpin-enroll recover --") == true, "\(status)")
            let recover = try machine.enroll("recover", "--code", machine.invitation(), pin: "4962")
            #expect(recover.status == 0, "\(recover.all)")
            #expect(try machine.enroll("test", pin: "4962").status == 0)
        }

        @Test func `a blocked or removed registration on a new server is reported too`() throws {
            let machine = try Machine.enrolled(hasKey: false)
            try machine.block()
            try machine.setUpAnew()
            let lift = try machine.enroll("recover", pin: "4962")
            #expect(lift.status == 83 && lift.errors.contains("does not know the enrollment"), "\(lift.all)")
            #expect(try machine.enroll("recover", "--code", machine.invitation(), pin: "7385").status == 0)
            let other = try Machine()
            try other.registerWithoutKey(pin: "7385")
            try other.setUpAnew()
            let remove = try other.enroll("remove", "--yes", pin: "7385")
            #expect(remove.status == 0 && remove.output.contains("was not notified"), "\(remove.all)")
        }

        @Test func `a revocation without a reason is recognized if the device has signed`() throws {
            let machine = try Machine.enrolled()
            try #require(try machine.administer("user", "revoke", "alice").status == 0)
            let test = try machine.enroll("test", pin: "4962")
            #expect(test.status == 83, "\(test.all)")
            #expect(test.errors.contains("has revoked the enrollment of alice."))
            #expect(test.errors.contains("mpin-server invite alice"), "\(test.errors)")
        }
    }
}

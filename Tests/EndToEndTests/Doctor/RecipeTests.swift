// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The messages of `pam enable` about a service that asks for the PIN already, or twice.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct RecipeTests {
        @Test func `a change from two factors to one, or from one to two, is reported`() throws {
            let spare = try SpareMachine()
            let one = "instead", two = "addition"
            for (present, asked) in [(one, two), (two, one)] {
                func enable(_ recipe: String) throws -> Run {
                    try spare.run([Products.enroll, "pam", "enable", "sudo", "--yes", "--recipe", recipe])
                }
                try #require(try enable(present).status == 0)
                let file = try spare.read("/etc/pam.d/sudo")
                let same = try enable(present)
                #expect(same.status == 0 && same.output.contains("already"), "\(same.all)")
                let other = try enable(asked)
                let meaning = present == one ? "instead of the password" : "in addition to the password"
                #expect(other.status == 78, "\(other.all)")
                #expect(
                    other.errors.contains("already asks for the PIN, but \(meaning): "), "\(other.all)")
                #expect(other.errors.contains(": /etc/pam.d/sudo line"), "\(other.all)")
                #expect(other.errors.contains("mpin-enroll pam disable sudo --yes\n"), "\(other.all)")
                #expect(try spare.read("/etc/pam.d/sudo") == file)
                // The way that is named.
                #expect(try spare.enroll("pam", "disable", "sudo", "--yes").status == 0)
                #expect(try enable(asked).status == 0)
                #expect(try spare.enroll("pam", "disable", "sudo", "--yes").status == 0)
            }
        }

        @Test func `nor where the profile is on`() throws {
            let spare = try SpareMachine()
            try SharedStackTests.install(on: spare)
            try SharedStackTests.enable(on: spare)
            let file = try spare.data("/etc/pam.d/sudo")
            let same = try spare.enroll("pam", "enable", "sudo", "--yes")
            #expect(same.status == 0 && same.output.contains("sudo already asks for the PIN"), "\(same.all)")
            let other = try spare.enroll("pam", "enable", "sudo", "--recipe", "addition", "--yes")
            let hint = "every service that includes common-auth: sudo pam-auth-update --enable unix --disable mpin\n"
            #expect(other.status == 78 && other.errors.contains(hint), "\(other.all)")
            #expect(try spare.data("/etc/pam.d/sudo") == file)
            // The command that is named.
            try SharedStackTests.disable(on: spare)
            #expect(try spare.enroll("pam", "enable", "sudo", "--recipe", "addition", "--yes").status == 0)
            #expect(try !spare.logIn(typing: "4962") && spare.logIn(typing: SpareMachine.password, "4962"))
        }

        @Test func `a line of its own beside the profile's is named everywhere, and removed`() throws {
            let spare = try SpareMachine()
            try #require(try spare.enroll("pam", "enable", "su", "--yes").status == 0)
            try SharedStackTests.install(on: spare)
            try SharedStackTests.enable(on: spare)
            let sentence = "su asks for the PIN in 2 lines: /etc/pam.d/su line "
            let command = "mpin-enroll pam disable su --yes"
            let calls = [["pam", "enable", "su", "--yes"], ["pam", "show", "su"], ["doctor"]]
            for call in calls {
                let run = try spare.run([Products.enroll] + call)
                #expect(run.status == 0 && run.output.contains(sentence), "\(run.all)")
                #expect(run.all.contains(command), "\(run.all)")
            }
            #expect(try spare.enroll("pam", "disable", "su", "--yes").status == 0)
            for call in calls {
                #expect(try !spare.run([Products.enroll] + call).output.contains("in 2 lines"))
            }
            #expect(try spare.logIn("su", typing: "4962"))
        }
    }
}

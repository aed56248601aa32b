// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// What locks an account out that has a PIN: not a locked password, but an expired account, whatever stack of ours
    /// asks for the PIN.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct ExpiredAccountTests {
        fileprivate static func shipped(_ path: String) throws -> String {
            try String(contentsOf: Products.repository.appendingPathComponent(path), encoding: .utf8)
        }

        private static func pamtester(_ spare: SpareMachine, _ service: String, _ typing: [String]) throws -> Run {
            try spare.run(
                ["/usr/bin/pamtester", "-I", "tty=tty1", service, SpareMachine.account, "authenticate", "acct_mgmt"],
                typing: typing.map { $0 + "\n" }.joined())
        }

        /// Each of our stacks, how it comes to the machine, and what the user types there.
        enum Stack: String, CaseIterable, Sendable {
            case profile, insteadOfPassword, inAdditionToPassword, sudoFile, sudoInAdditionFile, loginFile

            func set(on spare: SpareMachine) throws -> (service: String, typing: [String]) {
                let both = [SpareMachine.password, "4962"]
                switch self {
                case .profile:
                    try SharedStackTests.install(on: spare)
                    try SharedStackTests.enable(on: spare)
                    return ("sudo", ["4962"])
                case .insteadOfPassword, .inAdditionToPassword:
                    let recipe = self == .insteadOfPassword ? "instead" : "addition"
                    let run = try spare.run(
                        [Products.enroll, "pam", "enable", "sudo", "--yes", "--recipe", recipe])
                    try #require(run.status == 0, "\(run.all)")
                    return ("sudo", self == .insteadOfPassword ? ["4962"] : both)
                case .sudoFile:
                    try spare.put(ExpiredAccountTests.shipped("pam.d/sudo"), at: "/etc/pam.d/sudo")
                    return ("sudo", ["4962"])
                case .sudoInAdditionFile:
                    try spare.put(ExpiredAccountTests.shipped("pam.d/sudo-in-addition"), at: "/etc/pam.d/sudo")
                    return ("sudo", both)
                case .loginFile:
                    // Its lines go above those that Debian's file has.
                    try spare.put(
                        ExpiredAccountTests.shipped("pam.d/login").replacing("@include common-auth\n", with: "")
                            + spare.read("/etc/pam.d/login"),
                        at: "/etc/pam.d/login")
                    return ("login", ["4962"])
                }
            }
        }

        @Test(arguments: Stack.allCases)
        func `an expired account is refused after the right PIN, and a locked password is not enough`(_ stack: Stack)
            throws
        {
            let spare = try SpareMachine()
            let (service, typing) = try stack.set(on: spare)
            let before = try Self.pamtester(spare, service, typing)
            #expect(before.status == 0, "\(before.all)")
            #expect(try spare.run(["/usr/bin/chage", "-E0", SpareMachine.account]).status == 0)
            let expired = try Self.pamtester(spare, service, typing)
            #expect(expired.status != 0 && expired.all.contains("account has expired"), "\(expired.all)")
            #expect(expired.all.contains("successfully authenticated"), "\(expired.all)")
            #expect(try spare.run(["/usr/bin/chage", "-E-1", SpareMachine.account]).status == 0)
            guard typing.count == 1 else { return }
            #expect(try spare.run(["/usr/sbin/usermod", "-L", SpareMachine.account]).status == 0)
            #expect(try Self.pamtester(spare, service, typing).status == 0)
            // What doctor names for that.
            let doctor = try spare.enroll("doctor").output
            #expect(doctor.contains("Lock the account: sudo chage -E0 mpintest\n"), "\(doctor)")
            #expect(doctor.contains("at the server: sudo mpin-server user revoke alice\n"), "\(doctor)")
            #expect(try spare.machine.administer("user", "revoke", "alice").status == 0)
            #expect(try Self.pamtester(spare, service, typing).status != 0)
        }
    }
}

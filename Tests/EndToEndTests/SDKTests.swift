// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import Testing

extension EndToEnd {
    /// The SDK at the real server, as another program uses it.
    @Suite struct SDKTests {
        private func open(_ machine: Machine) throws -> MPinClient {
            var client = try MPinClient(
                store: FileStore(directory: machine.store, account: machine.account, create: true))
            try client.setBackend("unix:" + machine.socket)
            return client
        }

        private func refusal(_ call: () throws -> Void) throws -> MPinError? {
            do {
                try call()
                return nil
            } catch let error as MPinError { return error }
        }

        @Test func `wrong PINs with an unknown number are reported and block`() throws {
            let machine = try Machine.enrolled()
            var client = try open(machine)
            let listed = client.users.first
            let user = try #require(listed)
            for left in [2, 1, 0] {
                let pending = try client.startAuthentication(user)
                let error = try refusal {
                    try client.finishAuthenticationAN(
                        pending, pin: PIN(digits: [4, 9, 6, 3]), accessNumber: "4241703")
                }
                #expect(error?.code == .incorrectPIN && error?.attemptsLeft == left)
                #expect(user.attemptsLeft == left && user.state == (left == 0 ? .blocked : .registered))
            }
            let status = try machine.enroll("status", "--json")
            #expect(try status.json()["state"] as? String == "BLOCKED", "\(status.all)")

            // The answer to the right PIN with such a number reports the number.
            #expect(try machine.administer("user", "unblock", "alice").status == 0)
            try client.liftBlock(of: user, pin: PIN(copying: "4962".utf8))
            let pending = try client.startAuthentication(user)
            let error = try refusal {
                try client.finishAuthenticationAN(pending, pin: PIN(copying: "4962".utf8), accessNumber: "4241703")
            }
            #expect(error?.code == .incorrectAccessNumber)
            #expect(user.state == .registered && user.attemptsLeft == nil)
        }

        @Test func `a revocation has its reason and is forgotten with it`() throws {
            let machine = try Machine.enrolled()
            var client = try open(machine)
            let listed = client.users.first
            let user = try #require(listed)
            #expect(try machine.administer("user", "revoke", "alice", "--reason", "laptop lost").status == 0)
            let refused = try refusal {
                let pending = try client.startAuthentication(user)
                try client.finishAuthentication(pending, pin: PIN(copying: "4962".utf8))
            }
            #expect(refused?.code == .revoked)
            #expect(user.refusalReason == "laptop lost")
            let later = try open(machine)
            #expect(later.users.first?.refusalReason == "laptop lost")
            // From then on the user learns of it before typing the PIN.
            #expect(try refusal { _ = try client.startAuthentication(user) }?.code == .revoked)
            #expect(user.refusalReason == "laptop lost")
            #expect(try machine.administer("user", "restore", "alice").status == 0)
            let pending = try client.startAuthentication(user)
            try client.finishAuthentication(pending, pin: PIN(copying: "4962".utf8))
            #expect(user.refusalReason == nil && user.lastRefusal == nil)
        }

        @Test func `a code that comes later leads on`() throws {
            let machine = try Machine(configuration: "hold_unverified = yes\n")
            var client = try open(machine)
            let user = client.makeUser("alice", deviceName: "laptop")
            try client.startRegistration(user, userData: "room 12")
            #expect(user.state == .startedRegistration)
            #expect(try refusal { try client.confirmRegistration(user) }?.code == .identityNotVerified)
            try client.restartRegistration(user, invitation: machine.invitation())
            #expect(user.state == .activated)
            try client.confirmRegistration(user)
            try client.finishRegistration(user, pin: PIN(digits: [4, 9, 6, 2]))
            let pending = try client.startAuthentication(user)
            try client.finishAuthentication(pending, pin: PIN(digits: [4, 9, 6, 2]))
            let shown = try machine.administer("user", "show", "alice", "--json").json()
            let device = try #require((shown["devices"] as? [[String: Any]])?.first)
            #expect(device["userData"] as? String == "\"room 12\"")
        }
    }
}

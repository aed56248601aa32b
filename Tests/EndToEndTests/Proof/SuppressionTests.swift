// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// What a man in the middle cannot suppress with settings, which no server signs.
    @Suite struct SuppressionTests {
        /// Has clients see the server's settings without an extension.
        private func deny(_ extension: String, _ machine: Machine, _ middle: ManInTheMiddle) throws {
            let settings = try UnixSettings.members(machine.socket)
            let offered = try #require(settings["extensions"] as? [String])
            try #require(offered.contains(`extension`))
            try middle.plan("settings", ["extensions": offered.filter { $0 != `extension` }])
            // Settings that were cached would not be read again.
            try? FileManager.default.removeItem(atPath: machine.store + "/cache")
        }

        @Test func `a code is asked for over the network`() throws {
            let (machine, middle) = try ManInTheMiddle.withMachine()
            try deny("invitationCode", machine, middle)
            let terminal = try Terminal(Products.enroll, machine.call("register", at: middle))
            terminal.answer("Invitation or backup code for alice", try machine.invitation())
            terminal.choose("4962")
            #expect(terminal.end() == 0, "\(terminal.screen)")
            let status = try machine.enroll("status", "--json", at: middle).json()
            #expect(status["serverKeySource"] as? String == "invitation", "\(status)")
        }

        @Test func `revocations do not depend on what settings deny`() throws {
            let (machine, middle) = try ManInTheMiddle.withMachine()
            let registered = try machine.enroll(
                "register", "--code", machine.invitation(), at: middle, pin: "4962")
            try #require(registered.status == 0, "\(registered.all)")

            try deny("revoke", machine, middle)
            let recover = try machine.enroll(
                "recover", "--json", "--code", machine.invitation(), at: middle, pin: "7385")
            #expect(try recover.json()["oldRevoked"] as? Bool == true, "\(recover.all)")
            #expect(try machine.deviceStates() == ["REVOKED", "REGISTERED"])

            // A revocation that failed is asked for again by the next login.
            try middle.plan(
                "answer",
                ["path": "/mpinDirect", "containing": "\"purpose\":\"revoke\"", "status": 503, "body": [String: Any]()])
            let half = try machine.enroll(
                "recover", "--json", "--code", machine.invitation(), at: middle, pin: "8264")
            #expect(try half.json()["oldRevoked"] as? Bool == false, "\(half.all)")
            try deny("revoke", machine, middle)
            let test = try machine.enroll("test", at: middle, pin: "8264")
            #expect(test.status == 0 && test.output.contains("has now revoked"), "\(test.all)")
            #expect(try machine.deviceStates() == ["REVOKED", "REVOKED", "REGISTERED"])

            try deny("revoke", machine, middle)
            let remove = try machine.enroll("remove", "--json", "--yes", at: middle, pin: "8264")
            #expect(try remove.json()["revoked"] as? Bool == true, "\(remove.all)")
            #expect(try machine.deviceStates() == ["REVOKED", "REVOKED", "REVOKED"])
        }

        @Test func `a recovery that brings the server's key has the old registration revoked`() throws {
            let machine = try Machine.enrolled(hasKey: false)
            let before = try machine.enroll("status", "--json").json()
            try #require(before["serverKey"] == nil && before["key"] as? String == "none", "\(before)")
            let recover = try machine.enroll("recover", "--json", "--code", machine.invitation(), pin: "7385")
            #expect(try recover.json()["oldRevoked"] as? Bool == true, "\(recover.all)")
            #expect(try recover.json()["serverKeySource"] as? String == "invitation", "\(recover.all)")
            #expect(try machine.deviceStates() == ["REVOKED", "REGISTERED"])
        }

        /// An unfinished registration with a pin, which the server has activated.
        private func unfinished(_ machine: Machine, _ middle: ManInTheMiddle) throws {
            try middle.plan("answer", ["path": "/rps/signature", "status": 503, "body": [String: Any]()])
            let begun = try machine.enroll("register", "--code", machine.invitation(), at: middle, pin: "4962")
            try #require(begun.status == 69, "\(begun.all)")
            let status = try machine.enroll("status", "--json", at: middle).json()
            try #require(status["serverKeySource"] as? String == "invitation", "\(status)")
        }

        /// Has clients see the settings of a server without keys.
        private func denyKey(_ middle: ManInTheMiddle) throws {
            try middle.plan(
                "settings",
                [
                    "extensions": ["invitationCode"], "remove": ["serverId", "serverKey", "helloURL", "directURL"],
                ])
            middle.forget()
        }

        private func requests(_ middle: ManInTheMiddle) throws -> [String] { try middle.exchanges().map(\.target) }

        @Test func `a registration that starts over keeps the server's key`() throws {
            let (machine, middle) = try ManInTheMiddle.withMachine()
            try unfinished(machine, middle)
            try denyKey(middle)
            let run = try machine.enroll("register", "--start-over", at: middle, pin: "4962")
            #expect(run.status == 69 && run.errors.contains("does not prove its key"), "\(run.all)")
            #expect(try !requests(middle).contains("/rps/user"))
            // A code may prove another key.
            try middle.plan("pass")
            let code = try machine.invitation()
            let proven = try machine.enroll("register", "--start-over", "--code", code, at: middle, pin: "4962")
            #expect(proven.status == 0, "\(proven.all)")
        }

        @Test func `a registration that is begun anew keeps the server's key`() throws {
            let (machine, middle) = try ManInTheMiddle.withMachine()
            try unfinished(machine, middle)
            try machine.forgetRegistrations()
            try denyKey(middle)
            let terminal = try Terminal(Products.enroll, machine.call("register", at: middle))
            terminal.choose("4962")
            terminal.answer("Start again? [Y/n]", "y")
            terminal.answer("Invitation or backup code for alice", "")
            #expect(terminal.end() == 69, "\(terminal.screen)")
            #expect(terminal.screen.contains("does not prove its key"), "\(terminal.screen)")
            #expect(try !requests(middle).contains("/rps/user"))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import TestPeers
import Testing

extension EndToEnd {
    /// A server that is killed between any two requests of a login.
    @Suite struct KilledServerTests {
        /// Passes requests on to the real server, which is killed and restarted before the request of a given number.
        final class Relay: ServerAddress, @unchecked Sendable {
            let machine: Machine
            private let lock = NSLock()
            private var count = 0
            private let killBefore: Int
            private var server: LoopbackServer?

            init(_ machine: Machine, killBefore: Int) throws {
                self.machine = machine
                self.killBefore = killBefore
                let directory = machine.directory + "/relay-\(killBefore)"
                try #require(mkdir(directory, 0o755) == 0)
                server = try LoopbackServer(directory: directory) { [unowned self] in pass($0) }
            }

            deinit { server?.stop() }

            var url: String { server?.url ?? "" }
            var requests: [String] { server?.requests ?? [] }

            private func pass(_ exchange: Exchange) -> Answer {
                let number = lock.withLock {
                    count += 1
                    return count
                }
                if number == killBefore {
                    do { try machine.restart() } catch { return .hangUp }
                }
                guard let answer = UnixRequest.send(exchange, to: machine.socket) else { return .hangUp }
                return Answer(status: answer.status, body: answer.body)
            }
        }

        /// An enrolled machine whose record names a relay instead of the real socket.
        private func enrolled(_ machine: Machine, hasKey: Bool, killBefore number: Int) throws -> Relay {
            if hasKey { try machine.register() } else { try machine.registerWithoutKey() }
            let relay = try Relay(machine, killBefore: number)
            try machine.redirect(to: relay)
            return relay
        }

        @Test func `the module logs in before or after and never wrongly`() throws {
            // Logins that the device signs, and then those of a Milagro registration.
            for (number, hasKey) in (1...3).map({ ($0, true) }) + (1...8).map({ ($0, false) }) {
                let machine = try Machine()
                let relay = try enrolled(machine, hasKey: hasKey, killBefore: number)
                try machine.service("relayed", at: relay)
                let cut = try machine.probe("try", pins: ["4962"], service: "relayed")
                // The handle of a result does not outlive the server that gave it.
                let hasLapsed = relay.requests.dropFirst(number - 1).first == "POST /mpinAuthenticate"
                let answers = hasLapsed ? ["PAM_AUTH_ERR"] : ["PAM_SUCCESS", "PAM_AUTHINFO_UNAVAIL"]
                #expect(answers.contains(cut.lines.first ?? ""), "\(number): \(cut.all)")
                #expect(try machine.counted() == 0, "a right PIN was counted as a wrong one")
                let wrong = try machine.probe("try", pins: ["4963"], service: "relayed")
                #expect(wrong.lines == ["PAM_AUTH_ERR"], "\(number): \(wrong.all)")
                let right = try machine.probe("try", pins: ["4962"], service: "relayed")
                #expect(right.lines == ["PAM_SUCCESS"], "\(number): \(right.all)")
                #expect(relay.requests.count >= number)
            }
        }

        @Test(arguments: 1...8, [true, false])
        func `no attempt is lost and nothing is good twice`(number: Int, hasKey: Bool) throws {
            let machine = try Machine()
            let relay = try enrolled(machine, hasKey: hasKey, killBefore: number)
            var client = try MPinClient(store: FileStore(directory: machine.store, account: machine.account))
            try client.selectBackend(relay.url)
            let user = try #require(client.users.first)
            let wrong = try PIN(copying: Array("4963".utf8).span)
            var code: MPinStatus?
            do {
                let pending = try client.startAuthentication(user)
                _ = try client.finishAuthentication(pending, pin: wrong)
                Issue.record("a wrong PIN logged in")
            } catch let error { code = error.code }

            // An attempt answered in pass 2 is counted, whether or not the client asks for the result.
            let counted = try machine.counted()
            if relay.requests.contains("POST /mpinAuthenticate") {
                #expect(counted == 1)
                #expect(code == .incorrectPIN || code == .requestExpired)
            } else {
                #expect(counted <= 1)
            }
            let right = try PIN(copying: Array("4962".utf8).span)
            let pending = try client.startAuthentication(user)
            _ = try client.finishAuthentication(pending, pin: right)
            #expect(try machine.counted() == 0)
        }
    }
}

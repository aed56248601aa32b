// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinWire
import TestPeers
import Testing

extension EndToEnd {
    /// An attacker between the module and the real server, with a certificate that the module trusts.
    @Suite struct InterceptedLoginTests {
        /// A machine that reaches its server through TLS and the attacker, and is enrolled.
        private final class Scene {
            let machine: Machine
            let attacker: LoopbackServer
            let tls: TLSTests.Peer

            init(module: String) throws {
                machine = try Machine(module: module)
                let place = machine.directory + "/attacker"
                try FileManager.default.createDirectory(
                    atPath: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
                attacker = try LoopbackServer(directory: place) { _ in .hangUp }
                tls = try TLSTests.Peer(machine, name: "trusted", to: attacker.path)
                rest()
                let run = try Run(
                    Products.enroll,
                    [
                        "register", "--code", machine.invitation(), "--server", tls.url, "--ca-file", tls.certificate,
                        "--store", machine.store, "--user", machine.account, "--identity", "alice", "--config",
                        machine.directory + "/mpin.conf", "--no-input", "--pin-file", "-", "--timeout", "20",
                    ], input: "4962")
                try #require(run.status == 0, "\(run.errors)")
                try machine.service(
                    "tls",
                    "\(module) conf=\(machine.directory)/mpin.conf store=\(machine.store) server=\(tls.url) "
                        + "ca_file=\(tls.certificate) timeout=20")
            }

            deinit { attacker.stop() }

            /// Passes everything on, and may change it.
            func attack(_ change: @escaping @Sendable (Exchange, Answer) -> Answer) {
                let socket = machine.socket
                attacker.answer { exchange in
                    guard let real = UnixRequest.send(exchange, to: socket) else { return .hangUp }
                    return change(exchange, Answer(status: real.status, body: real.body))
                }
            }

            /// Answers direct logins without asking the server.
            func answerLogins(_ answer: Answer) {
                let socket = machine.socket
                attacker.answer { exchange in
                    if exchange.path == "/mpinDirect" { return answer }
                    guard let real = UnixRequest.send(exchange, to: socket) else { return .hangUp }
                    return Answer(status: real.status, body: real.body)
                }
            }

            func rest() { attack { $1 } }

            func logIn(_ pin: String) throws -> String {
                try machine.pam("authenticate", service: "tls", typing: [pin]).all
            }

            func logsIn(_ pin: String) throws -> Bool { try logIn(pin).contains(PAMText.success) }
        }

        @Test(arguments: Products.modules) func `no wrong PIN opens a login, and the right one works afterwards`(
            module: String
        ) throws {
            let scene = try Scene(module: module)
            let recorded = Recorded()
            scene.attack { exchange, answer in exchange.path == "/mpinDirect" ? recorded.keep(answer) : answer }
            #expect(try scene.logsIn("4962"))
            let right = try #require(recorded.last)
            let record = try String(contentsOfFile: scene.machine.record, encoding: .utf8)
            let time = Int(Date().timeIntervalSince1970 * 1000) + 86_400_000
            let body = "{\"userId\":\"alice\",\"attemptsLeft\":0,\"nowTime\":\(time),\"reason\":\"x\"}"
            let answers = [right] + [200, 401, 403, 404, 408, 410, 429, 503].map { Answer.status($0, body) }
            for answer in answers {
                scene.answerLogins(answer)
                #expect(try !scene.logsIn("4963"), "\(answer.status)")
                scene.rest()
                let after = try scene.logIn("4962")
                #expect(after.contains(PAMText.success), "\(answer.status): \(after)")
                #expect(try String(contentsOfFile: scene.machine.record, encoding: .utf8) == record)
            }
        }

        @Test(arguments: Products.modules) func `settings move no login to another host, and end with the attack`(
            module: String
        ) throws {
            let scene = try Scene(module: module)
            let forge = { @Sendable (change: @escaping @Sendable (inout ClientSettings) -> Void) in
                { @Sendable (exchange: Exchange, answer: Answer) -> Answer in
                    guard exchange.path == "/rps/clientSettings",
                        var settings = try? ClientSettings.decode(answer.body.span)
                    else { return answer }
                    change(&settings)
                    return .json(settings.encode())
                }
            }
            func forgetSettings() throws {
                try? FileManager.default.removeItem(atPath: scene.machine.store + "/cache")
            }
            // Nothing listens there.
            try forgetSettings()
            scene.attack(forge { $0[.directURL] = "https://localhost:1/mpinDirect" })
            #expect(try scene.logsIn("4962"))
            let other = try ServerSigner().publicKey
            let forgeries: [@Sendable (inout ClientSettings) -> Void] = [
                { $0[.directURL] = "https://localhost:1/elsewhere" }, { $0.serverKey = other }, { $0.extensions = [] },
            ]
            for (number, change) in forgeries.enumerated() {
                try forgetSettings()
                scene.attack(forge(change))
                #expect(try !scene.logsIn("4962"), "\(number)")
                scene.rest()
                #expect(try scene.logsIn("4962"), "\(number)")
            }
            #expect(!scene.attacker.requests.contains { $0.contains("/pass") })
        }
    }
}

/// The last answer of a server.
private final class Recorded: @unchecked Sendable {
    private let lock = NSLock()
    private var answer: Answer?

    var last: Answer? { lock.withLock { answer } }

    func keep(_ answer: Answer) -> Answer {
        lock.withLock { self.answer = answer }
        return answer
    }
}

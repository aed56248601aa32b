// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// Refusals state only what the client can know, and each has a next step that works.
    @Suite struct RefusalSentenceTests {
        private func refuse(_ machine: Machine) throws {
            try machine.write("legacy = refuse\n", to: "/server/server.conf")
            try machine.restart()
        }

        @Test func `the hint for an old registration that the server no longer accepts is to enroll again`() throws {
            let machine = try Machine.enrolled(hasKey: false)
            try refuse(machine)
            let test = try machine.enroll("test", pin: "4962")
            #expect(test.status == 83, "\(test.all)")
            #expect(
                test.errors.contains(
                    "does not know the enrollment of alice. Possible reasons: it was removed or revoked, the server was "
                        + "restored from an older backup, or the server accepts only enrollments"))
            #expect(
                test.errors.contains("mpin-enroll recover --") && !test.errors.contains("user restore"), "\(test.all)")
            let status = try machine.enroll("status")
            #expect(
                status.output.contains("mpin-enroll recover --") && !status.output.contains("user restore"),
                "\(status.all)")
            let doctor = try Run(
                Products.enroll,
                ["doctor", "--config", machine.directory + "/mpin.conf", "--store", machine.store])
            #expect(doctor.output.contains("does not know the enrollment of alice"), "\(doctor.all)")
            let recovered = try machine.enroll("recover", "--code", machine.invitation(), pin: "7385")
            #expect(recovered.status == 0, "\(recovered.all)")
            #expect(try machine.enroll("test", pin: "7385").status == 0)
        }

        /// Answers direct logins instead of the server.
        private func answering(_ machine: Machine, _ answer: Answer) throws -> LoopbackServer {
            let place = machine.directory + "/peer", socket = machine.socket
            try #require(mkdir(place, 0o755) == 0)
            let peer = try LoopbackServer(directory: place) { exchange in
                if exchange.path == "/mpinDirect" { return answer }
                guard let real = UnixRequest.send(exchange, to: socket) else { return .hangUp }
                return Answer(status: real.status, body: real.body)
            }
            try machine.redirect(to: peer)
            return peer
        }

        private static let cases: [(Answer, Int32, String, String)] = [
            (.status(404, "{}"), 84, "does not know the enrollment of alice with this device's key", "recover"),
            (.status(409, "{}"), 75, "received this request twice and ignored the second one", "Try again."),
            (.status(408, "{}"), 75, "refused the time of this request", "this machine and of the server: timedatectl"),
        ]

        @Test(arguments: cases.indices) func `each refusal has its sentence and its next step`(number: Int) throws {
            let (answer, status, sentence, next) = Self.cases[number]
            let machine = try Machine()
            let place = machine.directory + "/signing"
            try #require(mkdir(place, 0o755) == 0)
            let direct = try DirectServer(ReferenceServer())
            direct.reference.namedUser = "alice"
            let peer = try LoopbackServer(directory: place) { exchange in
                guard exchange.path == DirectServer.path, let said = try? direct.statement(of: exchange) else {
                    return direct.answer(exchange)
                }
                return answer.headers.isEmpty ? direct.signer.prove(answer, said.kind, said.request) : answer
            }
            defer { peer.stop() }
            _ = try machine.enroll("register", at: peer, pin: "4962")
            requireSentence(try machine.enroll("test", at: peer, pin: "4962"), status, sentence, next)
        }

        @Test func `a refusal that the server has not signed is no refusal`() throws {
            let machine = try Machine.enrolled()
            let record = try String(contentsOfFile: machine.record, encoding: .utf8)
            for status in [401, 404, 410] {
                let peer = try answering(machine, .status(status, "{\"attemptsLeft\":0}"))
                let run = try machine.enroll("test", at: peer, pin: "4962")
                requireSentence(run, 69, "did not sign its answer", "may have been counted")
                peer.stop()
                try Data(record.utf8).write(to: URL(fileURLWithPath: machine.record))
                try FileManager.default.removeItem(atPath: machine.directory + "/peer")
            }
            #expect(try machine.enroll("test", pin: "4962").status == 0)
        }

        private func requireSentence(_ run: Run, _ status: Int32, _ sentence: String, _ next: String) {
            #expect(run.status == status && run.errors.contains(sentence), "\(run.all)")
            #expect(run.errors.contains(next) && !run.errors.contains("took too long"), "\(run.all)")
        }
    }
}

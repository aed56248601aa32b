// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import MPinWire
import TestPeers

extension Machine {
    /// Registers as before there were device keys, through a peer that does not announce them. The record names the
    /// server itself afterwards, and what is cached still has the settings without keys.
    func registerWithoutKey(pin: String = "4962") throws {
        let place = directory + "/old"
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        let (behind, code) = (socket, try invitation())
        let peer = try LoopbackServer(directory: place) { exchange in
            guard let answer = UnixRequest.send(FormerProtocol.addCode(code, to: exchange), to: behind) else {
                return .hangUp
            }
            guard exchange.path == "/rps/clientSettings",
                var settings = try? ClientSettings.decode(answer.body.span)
            else { return Answer(status: answer.status, body: answer.body) }
            FormerProtocol.hide(&settings)
            return .json(settings.encode())
        }
        defer { peer.stop() }
        let run = try Run(
            Products.enroll,
            [
                "register", "--store", store, "--server", peer.url, "--user", account,
                "--identity", "alice", "--config", directory + "/mpin.conf", "--no-input", "--pin-file", "-",
            ], input: pin)
        guard run.status == 0 else { throw RegistrationFailed(output: run.all) }
        let text = try String(contentsOfFile: record, encoding: .utf8)
        try Data(text.replacing(peer.url, with: "unix:" + behind).utf8).write(to: URL(fileURLWithPath: record))
        chmod(record, 0o600)
    }

    struct RegistrationFailed: Error { let output: String }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension LoopbackServer: ServerAddress {}

extension Machine {
    /// Registers without a device key, through a peer that does not announce them. The record names the server itself
    /// afterwards, and what is cached still has the settings without keys.
    func registerWithoutKey(pin: String = "4962") throws {
        let place = directory + "/old"
        try #require(mkdir(place, 0o755) == 0)
        let behind = socket
        let peer = try LoopbackServer(directory: place) { exchange in
            guard let answer = UnixRequest.send(OldServerView.request(exchange), to: behind) else { return .hangUp }
            return OldServerView.answer(Answer(status: answer.status, body: answer.body), to: exchange)
        }
        defer { peer.stop() }
        let options = ["--old-server", "--application-code", "--code", OldServerView.code(try invitation())]
        let run = try enroll("register", options: options, at: peer, pin: pin)
        guard run.status == 0 else { throw RegistrationFailed(output: run.all) }
        let text = try String(contentsOfFile: record, encoding: .utf8)
        try Data(text.replacing(peer.url, with: "unix:" + behind).utf8).write(to: URL(fileURLWithPath: record))
        chmod(record, 0o600)
    }

    /// Makes the server forget all registrations, as it does with those that have expired.
    func forgetRegistrations() throws { try changeDatabase("DELETE FROM registration") }

    /// Lets the minute pass in which the server repeats a first share.
    func spendShares() throws { try changeDatabase("UPDATE registration SET delivered = delivered - 120") }

    /// Gives a device of alice's a name that an earlier server stored as it was.
    func rename(device: Int, _ name: String) throws {
        try changeDatabase("UPDATE registration SET device = '\(name)' WHERE number = \(device)")
    }

    private func changeDatabase(_ statement: String) throws {
        kill()
        let change = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()"
        let run = try Run("/usr/bin/python3", ["-I", "-c", change, directory + "/server/state/mpin.sqlite", statement])
        guard run.status == 0 else { throw RegistrationFailed(output: run.all) }
        try start()
    }

    struct RegistrationFailed: Error { let output: String }
}

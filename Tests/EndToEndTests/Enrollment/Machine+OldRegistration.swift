// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestPeers

extension Machine {
    /// Registers as before there were device keys, through a peer that does not announce them. The record names the
    /// server itself afterwards, and what is cached still has the settings without keys.
    func registerWithoutKey(pin: String = "4962") throws { try registerBefore(devices: true, pin) }

    /// Registers with a device key, but as before servers had keys.
    func registerWithoutPin(pin: String = "4962") throws { try registerBefore(devices: false, pin) }

    private func registerBefore(devices: Bool, _ pin: String) throws {
        try giveOldName()
        let place = directory + "/old"
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        let behind = socket
        let peer = try LoopbackServer(directory: place) { exchange in
            guard let answer = UnixRequest.send(OldServerView.request(exchange), to: behind) else { return .hangUp }
            return OldServerView.answer(
                Answer(status: answer.status, body: answer.body), to: exchange, devices: devices)
        }
        defer { peer.stop() }
        let run = try Run(
            Products.enroll,
            [
                "register", "--code", OldServerView.code(invitation()), "--store", store, "--server", peer.url,
                "--user", account,
                "--identity", "alice", "--config", directory + "/mpin.conf", "--no-input", "--pin-file", "-",
            ], input: pin)
        guard run.status == 0 else { throw RegistrationFailed(output: run.all) }
        let text = try String(contentsOfFile: record, encoding: .utf8)
        try Data(text.replacing(peer.url, with: "unix:" + behind).utf8).write(to: URL(fileURLWithPath: record))
        chmod(record, 0o600)
    }

    static let oldName = "ecc8db1a9ab079cc5273b0cb999ed41a"

    /// Gives the server a name from before servers had keys, which is not the hash of its key.
    func giveOldName() throws {
        try changeDatabase("UPDATE setting SET value = '\(Machine.oldName)' WHERE name = 'serverID'")
    }

    /// Makes the server forget all registrations, as it does with those that have expired.
    func forgetRegistrations() throws { try changeDatabase("DELETE FROM registration") }

    /// Gives a device of alice's a name that an earlier server stored as it was.
    func rename(device: Int, _ name: String) throws {
        try changeDatabase("UPDATE registration SET device = '\(name)' WHERE number = \(device)")
    }

    private func changeDatabase(_ statement: String) throws {
        kill()
        let change = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()"
        let run = try Run("/usr/bin/python3", ["-I", "-c", change, directory + "/server/mpin.sqlite", statement])
        guard run.status == 0 else { throw RegistrationFailed(output: run.all) }
        try start()
    }

    struct RegistrationFailed: Error { let output: String }
}

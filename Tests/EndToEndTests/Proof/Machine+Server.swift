// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Machine {
    /// The fingerprint of the server's key, as its administrator sees it.
    func fingerprint() throws -> String {
        try #require(administer("invite", "zoe", "--json").json()["fingerprint"] as? String)
    }

    /// The arguments of a command for all accounts of the store.
    func ofAllAccounts(_ words: [String]) -> [String] {
        ["server"] + words + ["--store", store, "--config", directory + "/mpin.conf", "--no-input"]
    }

    func server(_ words: String...) throws -> Run { try Run(Products.enroll, ofAllAccounts(words)) }

    /// A command that finds the server in the configuration.
    func configured(_ command: String, _ arguments: String..., pin: String? = nil) throws -> Run {
        try Run(
            Products.enroll,
            [command] + arguments + [
                "--store", store, "--user", account, "--identity", "alice", "--config", directory + "/mpin.conf",
                "--no-input",
            ] + (pin == nil ? [] : ["--pin-file", "-"]), input: pin)
    }

    /// Logs in with a module that finds the server in the configuration.
    func configuredLogin(_ pin: String) throws -> Run {
        try service("configured", "\(Products.module) method=pin conf=\(directory)/mpin.conf store=\(store)")
        return try pam("authenticate", service: "configured", typing: [pin])
    }

    /// Has the server listen at another socket.
    func move(to name: String) throws {
        kill()
        socketName = name
        try start()
    }

    /// Sets the server up again, with another key.
    func setUpAnew() throws {
        kill()
        try FileManager.default.removeItem(atPath: directory + "/server")
        try #require(try administer("init").status == 0)
        try start()
    }

    var configuration: String {
        get throws { try String(contentsOfFile: directory + "/mpin.conf", encoding: .utf8) }
    }
    var recordText: String { get throws { try String(contentsOfFile: record, encoding: .utf8) } }
}

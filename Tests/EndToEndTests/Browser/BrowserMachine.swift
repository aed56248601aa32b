// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// A machine whose server browsers reach by TLS, and a device that is enrolled there.
struct BrowserMachine {
    let machine: Machine
    private let tls: EndToEnd.TLSTests.Peer

    var url: String { tls.url }

    init(_ lines: String...) throws {
        machine = try Machine()
        tls = try EndToEnd.TLSTests.Peer(machine, name: "page")
        try machine.write(
            (["public_url = \(tls.url)"] + lines).joined(separator: "\n") + "\n", to: "/server/server.conf")
        try machine.restart()
        try machine.write("4962", to: "/pin")
        try enroll()
    }

    func enroll(_ identity: String = "alice") throws {
        let code = try machine.invitation(for: identity)
        let run = try Run(
            Products.enroll,
            arguments("register", ["--code", code, "--timeout", "20"], identity: identity, store: identity))
        try #require(run.status == 0, "\(run.errors)")
    }

    /// Registers an identity, or continues a registration that was begun, with a mailed code if there is one.
    func register(_ identity: String, code: String? = nil) throws -> Run {
        let code = code.map { ["--application-code", "--code", $0] } ?? []
        let more = code + ["--timeout", "20", "--json"]
        return try Run(Products.enroll, arguments("register", more, identity: identity, store: identity))
    }

    /// Approves a number on the device; returns when the browser has taken it up.
    func approve(_ number: String, identity: String = "alice") throws -> Run {
        try Run(Products.enroll, arguments("approve", [number, "--json"], identity: identity, store: identity))
    }

    func deny(_ number: String) throws -> Run {
        let all = arguments("deny", [number, "--json"], identity: "alice", store: "alice")
        // There is no question for a PIN, and no PIN to give.
        guard let file = all.firstIndex(of: "--pin-file") else { return try Run(Products.enroll, all) }
        return try Run(Products.enroll, Array(all[..<file] + all[(file + 2)...]))
    }

    /// Approves, and signs the browser out when the returned pipe is written to.
    func approveForAWhile(_ number: String) throws -> (process: Process, input: Pipe) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Products.enroll)
        process.arguments = arguments("approve", [number, "--then-log-out"], identity: "alice", store: "alice")
        let input = Run.pipe()
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, input)
    }

    private func arguments(_ command: String, _ further: [String], identity: String, store: String) -> [String] {
        [command] + further + [
            "--server", url, "--ca-file", tls.certificate, "--store", "\(machine.directory)/store-\(store)", "--user",
            machine.account, "--identity", identity, "--config", machine.directory + "/mpin.conf", "--no-input",
            "--pin-file", machine.directory + "/pin",
        ]
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
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
        try enroll()
    }

    func enroll(_ identity: String = "alice") throws {
        let run = try call("register", ["--code", machine.invitation(for: identity)], identity: identity)
        try #require(run.status == 0, "\(run.errors)")
    }

    /// A browser with the page, and the number there.
    func browser(width: Int = 1_000, height: Int = 760) async throws -> (Browser, String) {
        let browser = try await Browser(WebDriver(), width: width, height: height)
        try await browser.open(url)
        return (browser, try await browser.number())
    }

    /// Registers an identity, or continues a registration that was begun, with a mailed code if there is one.
    func register(_ identity: String, code: String? = nil) throws -> Run {
        let code = code.map { ["--application-code", "--code", $0] } ?? []
        return try call("register", code + ["--json"], identity: identity)
    }

    /// Approves a number on the device; returns when the browser has taken it up.
    func approve(_ number: String, identity: String = "alice") throws -> Run {
        try call("approve", [number, "--json"], identity: identity)
    }

    func deny(_ number: String) throws -> Run {
        try machine.enroll("deny", number, "--json", at: tls, store: store("alice"))
    }

    /// Approves, and signs the browser out when its input ends.
    func approveForAWhile(_ number: String) throws -> Background {
        let call = machine.call("approve", number, "--then-log-out", at: tls, store: store("alice"))
        return try Background([Products.enroll] + call + ["--no-input", "--pin-file", machine.pinFile("4962")])
    }

    private func store(_ identity: String) -> String { "\(machine.directory)/store-\(identity)" }

    private func call(_ command: String, _ options: [String], identity: String) throws -> Run {
        try machine.enroll(command, options: options, at: tls, pin: "4962", identity: identity, store: store(identity))
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinWire
import TestPeers

/// A relay to a machine's real server, which counts what passes and may change the answers that clients see.
final class CountingRelay: @unchecked Sendable {
    private let lock = NSLock()
    private var hides: Bool
    private var server: LoopbackServer?
    private let change: @Sendable (inout ClientSettings) -> Void
    private let forge: @Sendable (String, String) -> String

    /// - Parameters:
    ///   - hidesKeys: whether clients see a server without device keys.
    ///   - change: what else is changed in its settings.
    ///   - forge: makes the body of any other answer, of its path and its real body.
    init(
        _ machine: Machine, hidesKeys: Bool = false,
        changing change: @escaping @Sendable (inout ClientSettings) -> Void = { _ in },
        forging forge: @escaping @Sendable (String, String) -> String = { $1 }
    ) throws {
        (hides, self.change, self.forge) = (hidesKeys, change, forge)
        let directory = machine.directory + "/relay-\(UUID().uuidString.prefix(4))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        server = try LoopbackServer(directory: directory) { [unowned self, socket = machine.socket] exchange in
            let request = lock.withLock { hides } ? OldServerView.request(exchange) : exchange
            guard let answer = UnixRequest.send(request, to: socket) else { return .hangUp }
            return seen(Answer(status: answer.status, body: answer.body), to: exchange)
        }
    }

    deinit { server?.stop() }

    var url: String { server?.url ?? "" }
    var requests: [String] { server?.requests ?? [] }
    var connections: Int { server?.connections ?? 0 }

    func forget() { server?.forget() }

    /// Clients see the server as it is from now on.
    func show() { lock.withLock { hides = false } }

    private func seen(_ answer: Answer, to exchange: Exchange) -> Answer {
        guard exchange.path == "/rps/clientSettings", var settings = try? ClientSettings.decode(answer.body.span)
        else {
            let body = forge(exchange.path, String(decoding: answer.body, as: UTF8.self))
            return Answer(status: answer.status, body: Array(body.utf8))
        }
        if lock.withLock({ hides }) {
            OldServerView.hideKeys(&settings)
        }
        change(&settings)
        return .json(settings.encode())
    }
}

extension Machine {
    /// Enrolls at a relay, as `enroll` does at the server itself.
    func enroll(
        _ command: String, _ arguments: String..., at relay: CountingRelay, pin: String? = nil,
        identity: String = "alice", store: String? = nil
    ) throws -> Run {
        try Run(
            Products.enroll,
            [command] + arguments + [
                "--store", store ?? self.store, "--server", relay.url, "--user", account, "--identity", identity,
                "--config", directory + "/mpin.conf", "--no-input",
            ] + (pin == nil ? [] : ["--pin-file", "-"]), input: pin)
    }

    /// A PAM service whose module finds the registration at a relay.
    func service(_ name: String, at relay: CountingRelay) throws {
        try service(
            name, "\(Products.module) method=pin conf=\(directory)/mpin.conf store=\(store) server=\(relay.url)")
    }

    /// The output of `status` about the key.
    func key(at relay: CountingRelay) throws -> String? {
        try enroll("status", "--json", at: relay).json()["key"] as? String
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinWire
import TestPeers
import Testing

/// A relay to a machine's real server, which counts what passes and may change the answers that clients see.
final class CountingRelay: ServerAddress, @unchecked Sendable {
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
        try #require(mkdir(directory, 0o755) == 0)
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
    /// Puts a peer in front of the server, at its socket.
    ///
    /// - Parameter answer: gets a request, and what passes one on to the server.
    func interpose(
        _ answer: @escaping @Sendable (Exchange, _ forward: (Exchange) -> Answer) -> Answer
    ) throws -> LoopbackServer {
        let behind = directory + "/behind.sock"
        try FileManager.default.moveItem(atPath: socket, toPath: behind)
        return try LoopbackServer(directory: directory) { exchange in
            answer(exchange) { request in
                UnixRequest.send(request, to: behind).map { Answer(status: $0.status, body: $0.body) } ?? .hangUp
            }
        }
    }

    /// The output of `status` about the key.
    func key(at relay: CountingRelay) throws -> String? {
        try enroll("status", "--json", at: relay).json()["key"] as? String
    }
}

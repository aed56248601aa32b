// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage
internal import NIOCore
import Synchronization
internal import SystemFiles

/// Whether a server listens on one of its addresses, from its start on.
final class ListenerState: Sendable {
    private struct State {
        let channel: any Channel
        let socket: SocketFile?
    }

    private let address: ListenAddress
    private let state = Mutex<State?>(nil)

    init(_ address: ListenAddress) { self.address = address }

    /// Records that the server listens.
    ///
    /// - Parameter socket: its socket in the file system; nil for a port.
    func begin(_ channel: any Channel, _ socket: SocketFile?) {
        state.withLock { $0 = State(channel: channel, socket: socket) }
    }

    /// Why clients cannot reach it; nil if they can.
    var fault: String? { reason.map { "\(address.text): \($0)" } }

    private var reason: String? {
        guard let state = state.withLock({ $0 }) else { return "not listening yet" }
        guard state.channel.isActive else { return "not listening" }
        guard let socket = state.socket else { return nil }
        guard let facts = FileFacts(of: socket.path), facts.isSocket else { return "the socket file no longer exists" }
        return nil
    }
}

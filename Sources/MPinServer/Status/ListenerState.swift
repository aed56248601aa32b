// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage
internal import NIOCore
import Synchronization
internal import SystemFiles

/// Whether a server listens on one of its addresses, from its start on.
final class ListenerState: Sendable {
    private enum State {
        case waiting
        case failed(ServerError)
        case open(any Channel, SocketFile?)
    }

    private let address: ListenAddress
    private let state = Mutex(State.waiting)

    init(_ address: ListenAddress) { self.address = address }

    /// Records that the server listens.
    ///
    /// - Parameter socket: its socket in the file system; nil for a port.
    func begin(_ channel: any Channel, _ socket: SocketFile?) { state.withLock { $0 = .open(channel, socket) } }

    /// Records why the last attempt has failed.
    func fail(_ fault: ServerError) { state.withLock { $0 = .failed(fault) } }

    /// The address, with the port that the system has chosen.
    var text: String {
        if case .open(let channel, _) = state.withLock({ $0 }) {
            address.withPort(of: channel).text
        } else {
            address.text
        }
    }

    /// Whether the last attempt has succeeded.
    var isOpen: Bool { if case .open = state.withLock({ $0 }) { true } else { false } }

    /// Why the last attempt has failed; nil if it has not.
    var failure: ServerError? { if case .failed(let fault) = state.withLock({ $0 }) { fault } else { nil } }

    /// Why clients cannot reach it; nil if they can.
    var fault: String? {
        switch state.withLock({ $0 }) {
        case .waiting: return "\(address.text): not listening yet"
        case .failed(let fault): return fault.message
        case .open(let channel, let socket):
            guard channel.isActive else { return "\(address.text): not listening" }
            guard let socket else { return nil }
            guard let facts = FileFacts(of: socket.path), facts.isSocket else {
                return "\(address.text): the socket file no longer exists"
            }
            return nil
        }
    }
}

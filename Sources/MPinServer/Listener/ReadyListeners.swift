// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage
import Synchronization

/// A listener that accepts connections.
struct ReadyListener: Sendable {
    /// The address, with the port that the system has chosen.
    let address: ListenAddress
    /// Whether users of this host cannot connect, although its directory is open to them.
    let isClosedToUsers: Bool
}

/// Decides when a server is ready: after the first attempt of each listener, if this host's users can log in.
///
/// They can if the first Unix socket is open or, in a server without one, any port. Another address never keeps the
/// server from its start.
final class ReadyListeners: Sendable {
    /// What follows from the attempt of a listener.
    enum Outcome {
        /// Nothing yet, or nothing new.
        case none
        /// The server is ready, with these listeners.
        case ready([ReadyListener])
        /// The listener was opened after the start.
        case late
        /// No user of this host can log in, so the start has failed.
        case useless
    }

    private struct State {
        var open: [Int: ReadyListener] = [:]
        /// The listeners whose first attempt has ended.
        var tried: Set<Int> = []
        var isReady = false
    }

    private let count: Int
    /// The number of the listener without which the server is not ready; nil if any will do.
    private let essential: Int?
    private let state = Mutex(State())

    init(_ addresses: [ListenAddress]) {
        (count, essential) = (addresses.count, addresses.firstIndex(where: \.isSocket))
    }

    /// Records that a listener accepts connections.
    func opened(_ listener: ReadyListener, _ number: Int) -> Outcome {
        state.withLock { state in
            state.open[number] = listener
            state.tried.insert(number)
            return state.isReady ? .late : outcome(&state)
        }
    }

    /// Records that a listener could not be opened.
    func failed(_ number: Int) -> Outcome {
        state.withLock { state in
            state.open[number] = nil
            state.tried.insert(number)
            return state.isReady ? .none : outcome(&state)
        }
    }

    private func outcome(_ state: inout State) -> Outcome {
        if let essential, state.tried.contains(essential), state.open[essential] == nil { return .useless }
        guard state.tried.count == count else { return .none }
        guard !state.open.isEmpty else { return .useless }
        state.isReady = true
        return .ready(state.open.sorted { $0.key < $1.key }.map(\.value))
    }
}

// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A listener that accepts connections.
struct ReadyListener: Sendable {
    /// The address, with the port that the system has chosen.
    let address: ListenAddress
    /// Whether only root and the server's group can connect.
    let isForGroup: Bool
}

/// Counts the listeners of a server until all of them accept connections.
final class ReadyListeners: Sendable {
    private let count: Int
    private let listeners = Mutex<[Int: ReadyListener]>([:])

    init(count: Int) { self.count = count }

    /// Adds the listener with a number.
    ///
    /// - Returns: all listeners, in order, if this was the last one.
    func add(_ listener: ReadyListener, _ number: Int) -> [ReadyListener]? {
        listeners.withLock { listeners in
            listeners[number] = listener
            return listeners.count == count ? listeners.sorted { $0.key < $1.key }.map(\.value) : nil
        }
    }
}

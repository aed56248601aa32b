// SPDX-License-Identifier: Apache-2.0

/// A connection with a place among ``Connections``.
struct OpenConnection: Sendable {
    let connections: Connections
    let number: UInt64

    /// Reports what the connection waits for now.
    ///
    /// - Returns: false if it must be closed.
    func wait(for phase: ConnectionPhase) -> Bool { connections.change(number, to: phase) }

    /// Releases the place.
    func close() { connections.close(number) }
}

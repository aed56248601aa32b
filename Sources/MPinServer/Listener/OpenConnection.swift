/// A connection that has a place among ``Connections``.
struct OpenConnection: Sendable {
    let connections: Connections
    let number: UInt64

    /// Tells what the connection waits for now.
    ///
    /// - Returns: false when it has to be closed.
    func wait(for phase: ConnectionPhase) -> Bool { connections.change(number, to: phase) }

    /// Gives the place up.
    func close() { connections.close(number) }
}

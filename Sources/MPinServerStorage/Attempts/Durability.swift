/// What must hold when a write returns.
package enum Durability: Sendable {
    /// It survives a power failure.
    case disk
    /// It survives the process. For writes that only change how an earlier durable write is read.
    case process
}

import Synchronization

/// Lets one caller at a time do something about the same key. Different keys rarely wait for each other.
final class KeyedLock: Sendable {
    private final class Stripe: Sendable {
        let mutex = Mutex(())
    }

    private let stripes = (0..<256).map { _ in Stripe() }

    /// Runs a body while holding the lock of a key.
    ///
    /// - Parameter key: a hash; its first byte decides who shares a lock.
    func withLock<T, E: Error>(_ key: [UInt8], _ body: () throws(E) -> T) throws(E) -> T {
        let stripe = stripes[Int(key.first ?? 0)]
        return try stripe.mutex.withLock { _ throws(E) in try body() }
    }
}

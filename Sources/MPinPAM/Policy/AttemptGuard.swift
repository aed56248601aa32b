/// What has happened to one account in one handle, as one small number.
///
/// Programs ask three times, and servers block after three wrong PINs: somebody whose key is stuck would be blocked by a
/// single call of sudo. The notes in the store say the same and more; this is what is left where they cannot be written.
package struct AttemptGuard: Sendable, Equatable {
    /// The number to keep with the handle.
    package private(set) var memory: Int

    private static let closed = 100

    package init(memory: Int) {
        self.memory = memory
    }

    /// Whether nothing more may be sent in this handle.
    ///
    /// That is once the server has said that a single try is left; with servers that do not say, after two wrong PINs.
    package var isClosed: Bool { memory >= Self.closed }

    /// Remembers an attempt that has counted, or may have.
    ///
    /// - Parameter attemptsLeft: what the server said, if anything.
    package mutating func noteAttempt(attemptsLeft: Int?) {
        guard !isClosed else { return }
        memory += 1
        if let attemptsLeft {
            if attemptsLeft <= 1 { memory = Self.closed }
        } else if memory >= 2 {
            memory = Self.closed
        }
    }

    /// Forgets everything after a login.
    package mutating func reset() {
        memory = 0
    }
}

extension MPinClient {
    /// The notes of attempts at a registration.
    package func attemptCounts(of user: User) -> AttemptCounts? {
        AttemptNotes(of: user, in: store, create: false)?.counts
    }

    /// Notes an attempt that is about to be made, and reads again what the server said last: another process may have
    /// heard from it since.
    ///
    /// - Returns: `nil` where it cannot be noted.
    package func beginAttempt(at user: User) -> AttemptNotes? {
        readLastContact(of: user)
        guard let notes = AttemptNotes(of: user, in: store, create: true), notes.begin() else { return nil }
        return notes
    }

    /// Forgets the attempts at a registration that has logged in.
    func forgetAttempts(at user: User) {
        AttemptNotes(of: user, in: store, create: false)?.clear()
    }
}

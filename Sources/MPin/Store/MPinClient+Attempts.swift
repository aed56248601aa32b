// SPDX-License-Identifier: Apache-2.0
extension MPinClient {
    /// The counts of attempts with a registration.
    package func attemptCounts(of user: User) -> AttemptCounts? {
        AttemptNotes(of: user, in: store, create: false)?.counts
    }

    /// Notes an attempt that is about to be made, and reads the server's last answer again: another process may have
    /// received a newer one.
    ///
    /// - Returns: `nil` if the note cannot be written.
    package func beginAttempt(at user: User) -> AttemptNotes? {
        readLastContact(of: user)
        guard let notes = AttemptNotes(of: user, in: store, create: true), notes.begin() else { return nil }
        return notes
    }

    /// Removes the notes of attempts with a registration that has logged in.
    func forgetAttempts(at user: User) {
        AttemptNotes(of: user, in: store, create: false)?.clear()
    }
}

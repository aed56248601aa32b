// SPDX-License-Identifier: Apache-2.0
package import MPin
package import MPinWire

/// A registration in the store, with the client that logs in with it.
package final class StoredRegistration: LoginRegistration {
    private var sdk: MPinClient
    private let user: User
    private let timeoutSeconds: Int
    /// The notes that contain the current attempt.
    private var attempt: AttemptNotes?
    private var started: PendingAuthentication?

    init(sdk: consuming MPinClient, user: User, timeoutSeconds: Int) {
        self.sdk = sdk
        (self.user, self.timeoutSeconds) = (user, timeoutSeconds)
    }

    /// The server's address.
    var backend: ByteText { user.backendText }

    package var state: UserState { user.state }
    package var pinLength: Int? { user.pinLength }
    package var attemptsLeft: Int? { user.attemptsLeft }
    package var wrongSinceLastLogin: Int? { user.wrongSinceLastLogin }
    package var lastRefusal: MPinStatus? { user.lastRefusal }

    package var refusalReason: ByteText? { user.refusalReasonText }
    package var attemptCounts: AttemptCounts? { sdk.attemptCounts(of: user) }

    package func beginAttempt() -> AttemptCounts? {
        attempt = sdk.beginAttempt(at: user)
        return attempt?.counts
    }

    package func endAttempt(_ end: AttemptEnd) {
        attempt?.end(end)
        attempt = nil
    }

    package func startAuthentication() throws(MPinError) {
        try begin()
        started = try sdk.startAuthentication(user)
    }

    package func finishAuthentication(_ pin: borrowing PIN) throws(MPinError) {
        guard let login = started.take() else { throw MPinError(.flowError, "The login was not started.") }
        try sdk.finishAuthentication(login, pin: pin)
    }

    package func changePIN(from old: borrowing PIN, to new: borrowing PIN) throws(MPinError) {
        try begin()
        try sdk.changePIN(user, from: old, to: new)
    }

    /// Starts the time limit and chooses the server; nothing is sent yet.
    private func begin() throws(MPinError) {
        sdk.overallDeadline = Deadline(millisecondsFromNow: timeoutSeconds * 1000)
        try sdk.selectBackend(user.backendText)
    }
}

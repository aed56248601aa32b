// SPDX-License-Identifier: Apache-2.0
package import MPin
package import MPinConfiguration
package import MPinWire

package struct InstalledSystem: System {
    package init() {}

    package func configuration(arguments: [ByteText]) throws(ConfigurationError) -> Configuration {
        try Configuration.load(arguments: arguments)
    }

    package func isServerAbsent(_ configuration: Configuration, _ registration: StoredRegistration?) -> Bool {
        guard let address = configuration.value(.server) ?? registration?.backend else { return false }
        return Backend(address)?.isAbsent ?? false
    }

    package func openRegistration(
        of account: ByteText, _ user: UInt32, _ configuration: Configuration
    ) throws(RegistrationError) -> StoredRegistration {
        var sdk: MPinClient
        do throws(StoreError) {
            let directory = configuration.value(.store) ?? ByteText()
            let store = try FileStore(directory: directory, account: account, owner: user)
            sdk = try MPinClient(opening: store, options: configuration.transport)
            sdk.sendsEveryPIN = configuration.forwardsPassword
        } catch { throw .store(error) }
        if sdk.isNewAccount { throw sdk.replacesAnother ? .replaced : .store(.notEnrolled) }
        let user = try RegistrationSelection.choose(
            sdk.allUsers, account: account, configuration, isDamaged: sdk.recordsSetAside > 0)
        return StoredRegistration(sdk: sdk, user: user, timeoutSeconds: configuration.timeoutSeconds)
    }
}

/// The system below the module: its configuration and its registrations.
package protocol System {
    associatedtype Registration: LoginRegistration

    func configuration(arguments: [ByteText]) throws(ConfigurationError) -> Configuration

    /// Whether the server is known to be absent without a request: its socket does not exist.
    ///
    /// - Parameter registration: its server is used if none is configured.
    func isServerAbsent(_ configuration: Configuration, _ registration: Registration?) -> Bool

    /// Opens the registration of an account, without a request.
    func openRegistration(of account: ByteText, _ user: UInt32, _ configuration: Configuration)
        throws(RegistrationError) -> Registration
}

package final class StoredRegistration: LoginRegistration {
    private var sdk: MPinClient
    private let user: User
    private let timeoutSeconds: Int
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

    package var attemptCounts: AttemptCounts? { sdk.attemptCounts(of: user) }

    package func beginAttempt() -> AttemptCounts? {
        attempt = sdk.beginAttempt(at: user)
        return attempt?.counts
    }

    package var pause: Int64 { AttemptNotes.pause }

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

extension LoginRegistration {
    var hasTextSecret: Bool { pinLength == nil && (state == .registered || state == .blocked) }
}

package protocol LoginRegistration: AnyObject {
    var state: UserState { get }

    /// How many digits the PIN has; nil for secrets that are not PINs.
    var pinLength: Int? { get }

    /// How many tries are left, if the server has reported it since the last login; for display and for
    /// ``AttemptPolicy``.
    var attemptsLeft: Int? { get }

    /// How many wrong PINs came before the last login, if the server reported it.
    var wrongSinceLastLogin: Int? { get }

    /// REVOKED or CLIENT_SECRET_EXPIRED if the last contact ended with that status.
    var lastRefusal: MPinStatus? { get }

    /// The counts of attempts since the last login, as noted on this machine.
    var attemptCounts: AttemptCounts? { get }

    /// Notes an attempt that is about to be made, and reads the server's last report again.
    ///
    /// - Returns: the counts, including this attempt; nil if it cannot be noted.
    func beginAttempt() -> AttemptCounts?

    /// How many milliseconds to wait for attempts of other programs before looking again.
    var pause: Int64 { get }

    func endAttempt(_ end: AttemptEnd)

    /// Starts a login. Without a device key, this fetches what the login needs before the PIN is sent.
    func startAuthentication() throws(MPinError)

    /// Logs in, after ``startAuthentication()``.
    func finishAuthentication(_ pin: borrowing PIN) throws(MPinError)

    /// Proves the old PIN and replaces it with the new one.
    func changePIN(from old: borrowing PIN, to new: borrowing PIN) throws(MPinError)
}

// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
package import MPin
package import MPinConfiguration
internal import MPinPAM
internal import MPinWire

/// An account's registrations in the store, and which of them an action is for.
package struct AccountRecords {
    package let configuration: Configuration
    package let account: String
    /// The identity of a new registration.
    package let identity: String
    /// Whether the identity was chosen by name, and not by `user_map` or the account.
    package let isNamed: Bool
    package var server: String?
    /// How to reach servers, and where a new registration has its key.
    package var transport: TransportOptions

    /// - Parameter identity: nil for the one of `user_map`, or the account's name.
    /// - Returns: nil if `user_map` has no identity for the account.
    package init?(_ configuration: Configuration, account: String, identity: String? = nil) {
        guard let chosen = identity ?? configuration.userMap.map({ $0.identity(for: account) }) ?? account else {
            return nil
        }
        (self.configuration, self.account, self.identity) = (configuration, account, chosen)
        (isNamed, server, transport) = (identity != nil, configuration.server, configuration.transport)
    }

    /// A copy for the identity and the server of one of the account's registrations.
    package init(_ other: AccountRecords, of user: RegistrationSummary) {
        (configuration, account, isNamed) = (other.configuration, other.account, true)
        (identity, server, transport) = (user.identity, user.backend, other.transport)
    }

    // MARK: Opening

    package func open(_ area: FileStore.Area = .users, create: Bool = false) throws(ActionFailure) -> MPinClient {
        do throws(StoreError) { return try MPinClient(opening: store(area, create: create), options: transport) } catch
        {
            throw ActionFailure(.store, store: error)
        }
    }

    package func store(_ area: FileStore.Area, create: Bool) throws(StoreError) -> FileStore {
        let name = ByteText(account), found = unsafe mpin_account_find(name.cString, nil, 0)
        // The administrator works on the records of a deleted account, even if they belong to another user ID.
        return try FileStore(
            directory: ByteText(configuration.store), account: name, owner: UInt32(exactly: found), area: area,
            create: create)
    }

    /// Waits until no other program changes the enrollment of the account, for as long as a request may take. Others
    /// then wait until the result is gone.
    ///
    /// - Returns: nil if there is no store, or none that can be written: whatever changes an enrollment then fails with
    ///   its own message.
    package func turn(create: Bool) throws(ActionFailure) -> EnrollmentTurn? {
        do throws(StoreError) {
            return try store(.users, create: create)
                .enrollmentTurn(until: Deadline(millisecondsFromNow: transport.timeoutMilliseconds))
        } catch {
            switch error {
            case .notEnrolled, .noStore, .notPermitted, .failed(Self.full), .failed(Self.overQuota),
                .failed(Self.readOnly):
                return nil
            case .busy: throw ActionFailure(.isEnrolling)
            default: throw ActionFailure(.store, store: error)
            }
        }
    }

    // ENOSPC, EDQUOT and EROFS.
    private static let (full, overQuota, readOnly) = (Int32(28), Int32(122), Int32(30))

    // MARK: Selecting

    /// The server's address in the form in which it is stored.
    package var normalServer: String? { server.flatMap { Backend($0)?.text } }

    private func isAtServer(_ user: User) -> Bool { normalServer == nil || user.backend == normalServer }

    /// The registration of ``identity`` at the configured server; without one, its only registration at any server.
    package func registration(in client: borrowing MPinClient) throws(ActionFailure) -> User? {
        try single(client.allUsers.filter { isAtServer($0) && $0.identity == identity }, client)
    }

    /// The registration that an action is for: the named identity's, or otherwise the account's only one.
    package func existing(in client: borrowing MPinClient) throws(ActionFailure) -> User {
        let candidates = client.allUsers.filter { isAtServer($0) && (!isNamed || $0.identity == identity) }
        let found = try candidates.count > 1 ? registration(in: client) : single(candidates, client)
        if let found { return found }
        if client.isPutAside { throw ActionFailure(.putAside) }
        if client.replacesAnother { throw ActionFailure(.replaced) }
        let others = client.allUsers, same = others.filter { isNamed && $0.identity == identity }
        guard let other = same.first ?? others.first else { throw ActionFailure(.notEnrolled) }
        let wanted = isNamed && same.isEmpty ? "as \(identity)" : "at \(server ?? "a server")"
        throw ActionFailure(
            .notSelected, other.summary, texts: [wanted] + others.map { "\($0.identity) at \($0.backend)" })
    }

    private func single(_ candidates: [User], _ client: borrowing MPinClient) throws(ActionFailure) -> User? {
        guard candidates.count <= 1 else {
            throw ActionFailure(.severalServers, texts: [identity] + candidates.map(\.backend))
        }
        guard candidates.isEmpty, client.recordsSetAside > 0, !client.isPutAside else { return candidates.first }
        throw ActionFailure(.damagedRecord)
    }

    /// The registration, if it can log in.
    package func usable(in client: borrowing MPinClient) throws(ActionFailure) -> User {
        let user = try existing(in: client)
        guard user.state == .registered else { throw ActionFailure(.cannotLogIn, user.summary) }
        return user
    }

    /// Whether a recovery was interrupted: the staging area has another registration than the one in use. After an
    /// interrupted PIN change, both are the same registration.
    package func isHalfRecovered(_ user: User) -> Bool {
        do throws(ActionFailure) {
            let staged = try AccountRecords(self, of: user.summary).registration(in: open(.staging))
            return staged.map { $0.mpinID != user.mpinID } ?? false
        } catch { return false }
    }

    // MARK: Tries

    /// Whether a wrong PIN may block a registration, as far as this machine knows.
    package func isLastTry(_ client: borrowing MPinClient, of user: User) -> Bool {
        policy(client.attemptCounts(of: user), user).isLastTry
    }

    /// The tries to name at a prompt; nil if the number is unknown.
    package func shownTries(_ client: borrowing MPinClient, of user: User) -> Int? {
        policy(client.attemptCounts(of: user), user).shownLeft
    }

    /// The attempt policy of the module's logins, because every program of a user can have the agent log in.
    private func policy(_ counts: AttemptCounts?, _ user: User) -> AttemptPolicy {
        AttemptPolicy(
            counts: counts, attemptsLeft: user.attemptsLeft, handle: HandleAttempts(memory: 0), protectsLastTry: true)
    }

    /// In nanoseconds.
    private static let second: Int64 = 1_000_000_000

    /// Finishes a started login with a PIN and does the work that the login authorizes. If other processes have used
    /// all tries but the last one in the meantime, the user has to type the PIN again. Attempts of other processes that
    /// go on are awaited first, up to the time limit.
    package func finish<Result>(
        _ pending: borrowing PendingAuthentication, _ client: inout MPinClient, _ pin: borrowing CallerPIN,
        _ work: (inout MPinClient, borrowing PendingAuthentication, borrowing PIN) throws(MPinError) -> Result
    ) throws(ActionFailure) -> Result {
        let user = pending.user
        var notes = client.beginAttempt(at: user)
        let end = mpin_monotonic_ns() + Int64(configuration.timeoutSeconds) * Self.second
        while !pin.mayBeLast, policy(notes?.counts, user).isUndecided, mpin_monotonic_ns() < end {
            notes?.end(.notCounted)
            mpin_pause_ns(AttemptNotes.pause * Self.second / 1000)
            notes = client.beginAttempt(at: user)
        }
        if !pin.mayBeLast, policy(notes?.counts, user).isLastTryNow {
            notes?.end(.notCounted)
            try pin.confirm(.lastTryNow, user)
            notes = client.beginAttempt(at: user)
        }
        do throws(MPinError) {
            let result = try work(&client, pending, pin.pin)
            notes?.end(.notCounted)
            return result
        } catch {
            let isRight = error.cause == .unmet
            notes?.end(isRight ? .notCounted : AttemptEnd(error, isBlocked: user.state == .blocked))
            throw failure(error, of: user)
        }
    }

    /// Asks the server of a refused registration without a device key whether it offers such keys.
    package func noteOffer(after error: MPinError, of user: User) {
        guard error.code == .revoked, !user.hasDeviceKey else { return }
        do throws(StoreError) {
            MPinClient.noteOffer(of: user, in: try store(.users, create: false), options: transport)
        } catch {}
    }

    /// The failure of a login, which says if a block could not be recorded.
    package func failure(_ error: MPinError, of user: User) -> ActionFailure {
        noteOffer(after: error, of: user)
        guard user.state == .blocked, error.code == .incorrectPIN, !isStoredAsBlocked(user) else {
            return ActionFailure(error, of: user)
        }
        return ActionFailure(.unrecordedBlock, user.summary, error: error)
    }

    private func isStoredAsBlocked(_ user: User) -> Bool {
        do throws(ActionFailure) {
            let stored = try open().allUsers.first { $0.identity == user.identity && $0.backend == user.backend }
            return stored.map { $0.state == .blocked } ?? true
        } catch { return true }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinConfiguration
import MPinPAM
import MPinWire
import SystemFiles

// Logins that prove the PIN, for any purpose.
extension TargetAccount {
    /// The registration, if it can log in.
    func usable(in client: borrowing MPinClient) throws(CommandFailure) -> User {
        let user = try existing(in: client)
        if let failure = CommandFailure.cannotLogIn(user) { throw failure }
        return user
    }

    /// Opens a registration that can log in, and asks for its PIN.
    func identify(_ client: inout MPinClient, _ source: PINSource) throws(CommandFailure) -> (User, PINEntry) {
        let user = try usable(in: client)
        try checkRevocation(&client, of: user)
        return (user, try currentPIN(client, of: user, source))
    }

    /// Asks for the PIN of a registration, twice if this machine expects a wrong one to block it.
    func currentPIN(
        _ client: borrowing MPinClient, of user: User, _ source: PINSource, prompt: String? = nil
    ) throws(CommandFailure) -> PINEntry {
        let prompt = prompt ?? self.prompt(for: user)
        let isProtected = source.file == nil && configuration.guardLast
        let entry = PINEntry(try source.pin(prompt: prompt), from: source, mayBeLast: !isProtected)
        try confirmLastTry(client, of: user, entry)
        return entry
    }

    /// Has the PIN typed a second time if this machine expects a wrong one to block the registration.
    func confirmLastTry(
        _ client: borrowing MPinClient, of user: User, _ entry: PINEntry
    ) throws(CommandFailure) {
        guard policy(client.attemptCounts(of: user), user).isLastTry else { return }
        try entry.confirm("This may be the last try. A wrong PIN may block the enrollment of \(user.identity).")
    }

    /// Finishes a started login with a PIN and does the work that the login authorizes. If other processes have used
    /// all tries but the last one in the meantime, the user has to type the PIN again.
    func finish<Result>(
        _ pending: borrowing PendingAuthentication, _ client: inout MPinClient, _ entry: PINEntry,
        _ work: (inout MPinClient, borrowing PendingAuthentication, borrowing PIN) throws(MPinError) -> Result
    ) throws(CommandFailure) -> Result {
        let user = pending.user
        var notes = client.beginAttempt(at: user)
        if !entry.mayBeLast, policy(notes?.counts, user).isLastTryNow {
            notes?.end(.notCounted)
            try entry.confirm(
                "One more wrong PIN may block the enrollment of \(user.identity). This PIN was not checked.")
            notes = client.beginAttempt(at: user)
        }
        do throws(MPinError) {
            let result = try entry.withPIN { pin throws(MPinError) in try work(&client, pending, pin) }
            notes?.end(.notCounted)
            return result
        } catch {
            notes?.end(AttemptEnd(error, isBlocked: user.state == .blocked))
            throw failure(error, of: user)
        }
    }

    /// The attempt policy of the module's logins, because every program of a user can have mpin-agent run these
    /// commands.
    private func policy(_ counts: AttemptCounts?, _ user: User) -> AttemptPolicy {
        AttemptPolicy(
            counts: counts, attemptsLeft: user.attemptsLeft, handle: HandleAttempts(memory: 0), protectsLastTry: true)
    }

    /// Starts and finishes a login, if nothing has to be shown between the start and the PIN.
    func prove<Result>(
        _ client: inout MPinClient, as user: User, _ entry: PINEntry,
        _ work: (inout MPinClient, borrowing PendingAuthentication, borrowing PIN) throws(MPinError) -> Result
    ) throws(CommandFailure) -> Result {
        let pending: PendingAuthentication
        do throws(MPinError) {
            if client.backend == nil { try client.selectBackend(user.backend) }
            pending = try client.startAuthentication(user)
        } catch { throw failure(error, of: user) }
        return try finish(pending, &client, entry, work)
    }

    /// Asks the server again to revoke the registrations that a recovery replaced, with the PIN that was just proved.
    ///
    /// - Returns: lines for the user.
    func revokeReplaced(_ client: inout MPinClient, by user: User, _ entry: PINEntry) -> [String] {
        entry.withPIN { pin in revokeReplaced(&client, by: user, pin) }
    }

    func revokeReplaced(_ client: inout MPinClient, by user: User, _ pin: borrowing PIN) -> [String] {
        guard !user.notes.replaced.isEmpty else { return [] }
        let result = client.revokeReplaced(by: user, pin: pin)
        guard result.left > 0 else {
            let answer = result.revoked.isEmpty ? "does not know" : "has now revoked"
            return ["\(user.backend) \(answer) the replaced enrollment."]
        }
        return user.hasDeviceKey ? TargetAccount.unrevoked(user) : TargetAccount.irrevocable(user)
    }

    /// The lines about a replaced registration at a server that cannot revoke. They are shown once.
    static func irrevocable(_ user: User) -> [String] {
        let others = user.issued.map { "issued before \($0) UTC" } ?? "except the newest"
        return [
            "\(user.backend) cannot revoke the replaced enrollment, which remains valid there.",
            "If another person may have the old token, ask the administrator to block it: the permit hook "
                + "(RPAPermitUserURL) can refuse all M-Pin IDs of \(user.identity) \(others).",
        ]
    }

    /// The lines about replaced registrations that the server has not revoked, with the commands for its administrator.
    static func unrevoked(_ user: User) -> [String] {
        let identity = CommonOptions.quoted(user.identity)
        return user.notes.replaced.flatMap { entry in
            let what = entry.device.map { "the replaced device \($0)" } ?? "the replaced enrollment"
            let revoke = "sudo -u mpin mpin-server user revoke \(identity) --device "
            return ["\(user.backend) has not revoked \(what). 'mpin-enroll test' tries again."]
                + (entry.device.map { ["The server's administrator can revoke it: \(revoke)\($0)"] }
                    ?? [
                        "The server's administrator can find it: sudo -u mpin mpin-server user show \(identity)",
                        "Then revoke it: \(revoke)NUMBER",
                    ])
        }
    }

    /// Opens a registration that can log in at a server with a certain extension, before the user is asked for
    /// anything.
    ///
    /// - Parameters:
    ///   - what: the name of the extension in the message that the server does not support it.
    ///   - other: the hint of that message.
    func begin(
        _ client: inout MPinClient, needing needed: ProtocolExtension, _ what: String,
        _ other: Advice = Advice("Ask the server's administrator to update it.")
    ) throws(CommandFailure) -> User {
        let user = try usable(in: client)
        do throws(MPinError) {
            try client.setBackend(of: user)
            // The stored settings may be older than the server.
            if !client.offers(needed) { try client.setBackend(user.backend) }
        } catch { throw CommandFailure(error, at: user.backend) }
        guard client.offers(needed) else {
            throw CommandFailure(
                .protocolFault, "NOT_OFFERED", "\(user.backend) does not support \(what). Nothing was sent.",
                advice: other)
        }
        try checkRevocation(&client, of: user)
        return user
    }

    /// The failure of a login, with a note if the block could not be recorded.
    func failure(_ error: MPinError, of user: User) -> CommandFailure {
        let failure = CommandFailure(error, of: user)
        guard user.state == .blocked, failure.exitStatus == .blocked, !isStoredAsBlocked(user) else { return failure }
        return failure.adding(
            "This could not be recorded here: \(LockHolder.sentence(lock)) Until it is, this machine assumes that the "
                + "enrollment can log in.")
    }

    private func isStoredAsBlocked(_ user: User) -> Bool {
        do throws(CommandFailure) {
            let stored = try open().allUsers.first { $0.identity == user.identity && $0.backend == user.backend }
            return stored.map { $0.state == .blocked } ?? true
        } catch { return true }
    }

    /// The file that programs lock to change the account's records.
    var lock: String { StoreLocation(directory: configuration.store, account: account).lock }
}

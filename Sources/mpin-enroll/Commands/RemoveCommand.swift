// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPin
import MPinAgent
import MPinConfiguration
import MPinWire
import SystemFiles

/// `remove`: deletes a registration from this machine and, if it can log in, has the server revoke it.
struct RemoveCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an enrollment from this machine and the server.")

    @OptionGroup var pin: PINOptions

    @Flag(help: "Remove the enrollment only from this machine.") var localOnly = false

    @Flag(help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
        let target = try TargetAccount(common, mayBeGone: true)
        return try target.inTurn { () throws(CommandFailure) in try remove(target) }
    }

    private func remove(_ target: TargetAccount) throws(CommandFailure) -> Report {
        var client = try target.open(advice: CommandFailure.showList)
        let user = try target.existing(in: client, advice: CommandFailure.showList)
        try requireSpare(user, target)
        try confirm(user)
        try target.requireChangeable(client)
        let description = target.description(of: user.summary)
        let isTold = localOnly || user.state != .registered ? false : try revoke(user, &client, target)
        do throws(MPinError) { try client.deleteUser(user) } catch { throw CommandFailure(error) }

        var lines = ["Removed the enrollment of \(user.identity) from this machine\(isTold ? " and the server" : "")."]
        // A server that refused it for good has revoked it, or does not know it.
        if !isTold && user.lastRefusal == nil {
            lines.append("\(user.backend) was not notified. Its administrator can revoke the enrollment there.")
        }
        let aside = client.allUsers.isEmpty ? target.filesAside : []
        if !aside.isEmpty {
            lines.append(
                "An unreadable record remains, so logins still treat \(target.account) as enrolled. If you do not need "
                    + "it, run: rm " + aside.map(CommonOptions.quoted).joined(separator: " "))
        }
        var members = description
        members["state"] = UserState.invalid.name
        members["revoked"] = isTold
        return Report(lines, members)
    }

    /// Refuses to remove the last enrollment with which a login is possible: a locked-out user could not undo that.
    private func requireSpare(_ user: User, _ target: TargetAccount) throws(CommandFailure) {
        guard EnrolledUsers.canLogIn(user) else { return }
        let left = EnrolledUsers(target.configuration, without: (target.account, user)).answer
        guard left == .noUser || left == .allRefused else { return }
        let services = DemandingServices(store: target.configuration.store)
        guard !services.isEmpty else { return }
        throw CommandFailure(
            .configuration, "CONFIGURATION",
            "Without it, no user can log in through \(services.names): the PIN is required there, and no other user of "
                + "this machine can log in with one. Nothing was removed.", advice: services.advice(common))
    }

    private func confirm(_ user: User) throws(CommandFailure) {
        guard !yes else { return }
        let device = user.deviceName.isEmpty ? "" : " (\(user.deviceName))"
        try common.confirm(
            "Remove the enrollment of \(user.identity)\(device) at \(user.backend)?",
            needed: "Removing needs confirmation.", refused: "Nothing was removed.", CommandFailure.showList)
    }

    /// Has the server revoke the registration, if it supports that, with a login as authorization.
    ///
    /// A failure stops the command unless the user agrees to remove the registration only locally. A server that has
    /// already revoked the registration is not asked again.
    /// - Returns: whether the server has revoked it.
    private func revoke(_ user: User, _ client: inout MPinClient, _ target: TargetAccount) throws(CommandFailure)
        -> Bool
    {
        guard user.hasDeviceKey else { return false }
        let pending: PendingAuthentication
        do throws(MPinError) {
            try client.selectBackend(user.backend)
            pending = try client.startAuthentication(user)
        } catch {
            if isGone(error) { say(error, user) } else { try confirmHereOnly(CommandFailure(error, of: user)) }
            return false
        }
        let dialog = PINDialog(pin.source(common, for: "remove"))
        let refusal: MPinError?
        do throws(ActionFailure) {
            let typed = try AccountActions(target.records, for: dialog).currentPIN(client, of: user)
            // PIN failures have their own messages; all other failures offer a local removal.
            refusal = try target.records.finish(pending, &client, typed) { client, pending, pin throws(MPinError) in
                do throws(MPinError) {
                    try client.revoke(registration: user.mpinID, by: pending, pin: pin)
                    return MPinError?.none
                } catch { return error }
            }
        } catch { throw dialog.completed(CommandFailure(error, for: target)) }
        guard let refusal else { return true }
        if isGone(refusal) {
            say(refusal, user)
            return false
        }
        switch refusal.code {
        case .incorrectPIN, .pinInputCanceled:
            throw CommandFailure(target.records.failure(refusal, of: user), for: target).advising(
                Advice("Try again", "remove").adding("Or remove it only from this machine", "remove --local-only"))
        case .networkError, .httpServerError, .responseParseError:
            guard refusal.pinChecked != .no else { break }
            // The request was sent, but its result is unknown.
            let again = Advice("Run it again to find out", "remove")
            try confirmHereOnly(
                CommandFailure(refusal, of: user).adding("The server may have revoked the enrollment."),
                // If the server has another key for good, no answer counts any more.
                refusal.cause == .unproven
                    ? again.adding("Or remove it only from this machine", "remove --local-only") : again)
            return false
        default: break
        }
        try confirmHereOnly(CommandFailure(refusal, of: user))
        return false
    }

    /// Whether the server has nothing left to revoke. It reports this before the PIN, or in a login signed by a device
    /// key.
    private func isGone(_ error: MPinError) -> Bool {
        error.code == .revoked || error.code == .clientSecretExpired && error.cause != .lostKey
    }

    private func say(_ error: MPinError, _ user: User) {
        Terminal.say("mpin-enroll: " + CommandFailure(error, of: user).message)
    }

    /// Asks the user whether to continue without the server; otherwise throws the failure.
    private func confirmHereOnly(
        _ failure: CommandFailure,
        _ way: Advice = Advice("Remove it only from this machine, without notifying the server", "remove --local-only")
    ) throws(CommandFailure) {
        guard !yes, common.mayAsk, let terminal = Terminal() else { throw failure.advising(way) }
        Terminal.say("mpin-enroll: " + failure.message)
        guard terminal.confirms("Remove it from this machine only? [y/N] ") else {
            throw CommandFailure(.canceled, "CANCELED", "Nothing was removed.", advice: way)
        }
    }
}

extension TargetAccount {
    /// Checks that the account's records can be changed, before the server makes an irreversible change.
    func requireChangeable(_ client: borrowing MPinClient) throws(CommandFailure) {
        let place = StoreLocation(directory: configuration.store, account: account)
        guard unsafe faccessat(AT_FDCWD, place.areaDirectory, W_OK | X_OK, AT_EACCESS) == 0 else {
            let reason = SystemError().text
            throw CommandFailure(
                .storage, "STORAGE_ERROR", "\(place.areaDirectory) cannot be changed: \(reason). Nothing was removed.",
                advice: CommandFailure.lookAtStore)
        }
        do throws(MPinError) { try client.requireLock() } catch {
            let holder = error.isLocal ? LockHolder(place.lock).map { " It is \($0.text)." } : nil
            throw CommandFailure(
                ExitStatus(error), error.code.name,
                "\(place.lock): \(error.message)\(holder ?? "") Nothing was removed.",
                advice: CommandFailure.storeAdvice(error))
        }
    }
}

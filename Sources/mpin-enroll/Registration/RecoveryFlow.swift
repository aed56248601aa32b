// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinAgent
import MPinWire

/// The recovery of a registration that is blocked, revoked or expired. A new registration is staged beside the old one,
/// logs in, and then replaces it. After the administrator has lifted a block, a login with the old PIN is enough.
struct RecoveryFlow {
    /// The account and identity that the command line names.
    let chosen: TargetAccount
    let code: CodeSource
    /// The current PIN. With a code, or for a registration that is not blocked, it is the source of the new PIN.
    let oldPIN: PINSource
    let newPIN: PINSource
    let device: String?
    let startsOver: Bool

    func run() throws(CommandFailure) -> Report {
        try chosen.inTurn { () throws(CommandFailure) in try runInTurn() }
    }

    private enum Way {
        case newRegistration(CodeSource, PINSource)
        /// A login with the old PIN, after the administrator has lifted the block.
        case oldPIN(NewPIN)
    }

    private func runInTurn() throws(CommandFailure) -> Report {
        var client = try chosen.open(advice: CommandFailure.register)
        let old = try chosen.existing(in: client)
        guard old.state == .registered || old.state == .blocked else {
            throw CommandFailure.cannotLogIn(old.summary)
                ?? CommandFailure.notEnrolled(chosen.account, advice: CommandFailure.register)
        }
        let target = chosen.of(old.summary).keepingKeyPlace(of: old)
        try discardLeftovers(target)
        switch try way(old, &client, isStaged: isStaged(target)) {
        case .newRegistration(let code, let pin): return try registerAnew(beside: old, target, code, pin)
        case .oldPIN(let pin): return try pin.withPIN { pin throws(CommandFailure) in try lift(old, &client, pin) }
        }
    }

    /// - Parameter isStaged: whether an earlier recovery has staged a registration.
    private func way(_ old: User, _ client: inout MPinClient, isStaged: Bool) throws(CommandFailure) -> Way {
        guard try code.given() == nil, !isStaged, old.state == .blocked else {
            return .newRegistration(code, source(newPIN.file ?? oldPIN.file))
        }
        // Blocked and without a code: either the block was lifted and the old PIN is enough, or the server requires no
        // code for a new registration.
        switch (oldPIN.file, newPIN.file) {
        case (.some, .some):
            throw CommandFailure(
                .usage, "USAGE", "Use --pin-file or --new-pin-file, not both, unless you also use --code-file.",
                advice: Advice(
                    "If the enrollment was unblocked, use --pin-file with the old PIN. To enroll again, use "
                        + "--new-pin-file."))
        case (.some, nil): return .oldPIN(NewPIN(try oldPIN.pin(prompt: "")))
        case (nil, let file?): return .newRegistration(code, source(file))
        case (nil, nil): return try askedWay(old, &client)
        }
    }

    /// Asks the user for a code or the old PIN of a blocked registration.
    private func askedWay(_ old: User, _ client: inout MPinClient) throws(CommandFailure) -> Way {
        guard code.canAsk else {
            throw CommandFailure(
                .inputNeeded, "INPUT_NEEDED", "\(old.identity) is blocked. A code or a PIN is needed.",
                advice: Advice(
                    "With a code, add --code-file and --new-pin-file. If the server requires no code, add only "
                        + "--new-pin-file. If the enrollment was unblocked, add --pin-file with the old PIN."))
        }
        let takesCodes = try takesCodes(old, &client)
        let pin = try oldPIN.pin(
            prompt: "Old PIN (or Enter, to \(takesCodes ? "use a code" : "enroll again")): ", mayBeEmpty: true)
        guard pin.isEmpty else { return .oldPIN(NewPIN(pin)) }
        guard takesCodes, let code = try code.value(for: old.identity) else {
            return .newRegistration(.none, source(nil))
        }
        return .newRegistration(CodeSource.typed(code, like: self.code), source(nil))
    }

    /// - Parameter file: the file with the new PIN; `nil` to ask for it.
    private func source(_ file: String?) -> PINSource {
        PINSource(file: file, flag: "--new-pin-file", mayAsk: newPIN.mayAsk)
    }

    /// Whether the server may accept codes. Over the network, the user is asked in any case, as in
    /// `RegistrationFlow.chosenCode`.
    private func takesCodes(_ old: User, _ client: inout MPinClient) throws(CommandFailure) -> Bool {
        do throws(MPinError) { try client.setBackend(of: old) } catch { throw CommandFailure(error, at: old.backend) }
        return code.isOfApplication || client.offers(.invitationCode)
            || client.isOverNetwork && !chosen.acceptsOldServer
    }

    private func registerAnew(
        beside old: User, _ target: TargetAccount, _ code: CodeSource, _ pin: PINSource
    ) throws(CommandFailure) -> Report {
        try target.requireRoom(in: target.open(), forRecovery: true)
        var staged = try target.open(.staging, create: true)
        // The agent, whose caller chooses the code, never sets this.
        staged.acceptsProvenKey = true
        var registering = RegistrationFlow(
            target: target, device: device ?? (old.deviceName.isEmpty ? nil : old.deviceName), code: code,
            pin: pin, startsOver: startsOver, command: "recover", logsIn: false)
        registering.formerKey = old.serverKeyFingerprint
        registering.serverKey = target.configuredServerKey(of: old.backend)
        let (user, pin) = try registering.run(&staged)
        let isRevoked: Bool
        do throws(MPinError) {
            isRevoked = try pin.withPIN { pin throws(MPinError) in
                try staged.recover(user, pin: pin, abandoned: registering.progress.abandoned)
            }
        } catch {
            guard error.code == .incorrectPIN, user.state == .registered else { throw CommandFailure(error, of: user) }
            let failure = CommandFailure(error, of: user)
            guard failure.exitStatus == .wrongPIN else {
                throw failure.advising(
                    Advice(
                        "The old enrollment is unchanged. Ask the server's administrator to check the second authority. "
                            + "Then run", "recover --start-over"))
            }
            throw failure.advising(
                Advice("The old enrollment is unchanged. Continue with the new PIN", "recover")
                    .adding("Or discard the new enrollment", "recover --start-over"))
        }
        let summary = user.summary
        return RecoveryFlow.outcome(
            summary, target, isRevoked,
            isRevoked ? [] : user.hasDeviceKey ? TargetAccount.unrevoked(summary) : TargetAccount.irrevocable(summary))
    }

    static func outcome(
        _ user: RegistrationSummary, _ target: TargetAccount, _ isRevoked: Bool, _ notes: [String]
    ) -> Report {
        var members = target.description(of: user)
        members["oldRevoked"] = isRevoked
        return Report(
            ["\(user.identity) is recovered: the new enrollment has logged in and replaced the old one."]
                + TargetAccount.keyNotice(user)
                + (user.serverKeySource == .tls ? TargetAccount.serverKeyNotice(user) : [])
                + notes, members)
    }

    /// Removes what an interrupted PIN change or recovery left in the staging area.
    private func discardLeftovers(_ target: TargetAccount) throws(CommandFailure) {
        var staged = try target.open(.staging, create: true)
        do throws(MPinError) { try staged.discardLeftovers() } catch { throw CommandFailure(error) }
    }

    private func isStaged(_ target: TargetAccount) throws(CommandFailure) -> Bool {
        try target.registration(in: target.open(.staging, create: true)) != nil
    }

    private func lift(_ user: User, _ client: inout MPinClient, _ pin: borrowing PIN) throws(CommandFailure)
        -> Report
    {
        do throws(MPinError) {
            try client.selectBackend(user.backend)
            try client.liftBlock(of: user, pin: pin)
        } catch {
            chosen.records.noteOffer(after: error, of: user)
            guard error.code == .incorrectPIN else { throw CommandFailure(error, of: user) }
            let again = Advice("Try again, or press Enter at the PIN prompt to enroll again", "recover")
            // INCORRECT_PIN can also mean that the registration is still blocked, or that a PIN of the wrong length was
            // not sent.
            switch error.pinChecked {
            case .yes where !error.isBlock:
                throw CommandFailure(
                    .wrongPIN, "INCORRECT_PIN", "The block has been lifted, but this PIN is wrong.", advice: again,
                    attemptsLeft: error.attemptsLeft)
            case .no:
                let sentence =
                    user.pinLength.map { "The PIN of \(user.identity) has \($0) digits." }
                    ?? "That PIN has the wrong number of digits."
                throw CommandFailure(
                    .wrongPIN, "INCORRECT_PIN", "\(sentence) Nothing was sent, and no try was used.", advice: again)
            case _ where error.isBlock: throw CommandFailure(error, of: user).adding("It has not been unblocked.")
            default: throw CommandFailure(error, of: user)
            }
        }
        return Report(
            ["The server has lifted the block. \(user.identity) can log in with the old PIN."]
                + TargetAccount.warnings(user.summary), chosen.description(of: user.summary))
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CMPinSystem
import Console
import MPin

/// `change-pin`: changes the PIN. The old one remains valid until a login with the new one has succeeded.
struct ChangePINCommand: AgentCommand {
    static let configuration = CommandConfiguration(commandName: "change-pin", abstract: "Choose a new PIN.")

    @OptionGroup(title: HelpText.common) var common: CommonOptions
    @OptionGroup var old: PINOptions

    @Option(help: .value("file", "Read the new PIN from a file (- for standard input)."), completion: .file())
    var newPinFile: String?

    func validate() throws {
        guard old.pinFile != "-" || newPinFile != "-" else {
            throw ValidationError("Only one of the PINs can come from standard input.")
        }
    }

    var order: AgentOrder {
        AgentOrder(command: MPIN_AGENT_CHANGE_PIN, pins: AgentPINs(oldSource, new: newSource))
    }

    private var oldSource: PINSource { old.source(common, for: "change-pin") }

    private var newSource: PINSource {
        var source = PINSource(file: newPinFile, flag: "--new-pin-file", mayAsk: common.mayAsk)
        source.afterCanceling = Advice("The old PIN remains valid. Try again", "change-pin")
        return source
    }

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var client = try target.open()
        let user = try target.usable(in: client)
        // Before the first login: both PINs must be available, and a new one from a file must not be weak.
        try oldSource.require()
        try newSource.require()
        let early = newPinFile == nil ? nil : NewPIN(try newSource.newPIN(prompt: ""))
        try target.checkRevocation(&client, of: user)
        let entry = try target.currentPIN(client, of: user, oldSource, prompt: "Old " + target.prompt(for: user))
        if early == nil {
            // The old PIN is verified before the user has to think of a new one.
            try prove(entry, user, &client, target)
        }
        // The login with the new PIN resets the warnings of this one.
        let proved = early == nil ? TargetAccount.warnings(user) : nil
        let new: NewPIN
        if let early {
            new = early
        } else {
            new = NewPIN(
                try newSource.newPIN(prompt: "New PIN for \(user.identity) on \(HostName.here), 4 to 6 digits: "))
        }
        let isSame = new.withPIN { new in entry.withPIN { old in new.equals(old) } }
        guard !isSame else {
            // Only a login shows whether the old PIN is the current one.
            if newPinFile != nil { try prove(entry, user, &client, target) }
            throw CommandFailure(
                .badInput, "SAME_PIN", "The new PIN is the current PIN.",
                advice: Advice("Choose another one", "change-pin"))
        }
        do throws(MPinError) {
            if client.backend == nil { try client.selectBackend(user.backend) }
            try new.withPIN { new throws(MPinError) in
                try entry.withPIN { old throws(MPinError) in try client.changePIN(user, from: old, to: new) }
            }
        } catch  where error.cause == .unconfirmedWrite {
            throw CommandFailure(
                .storage, "STORAGE_ERROR",
                "\(user.identity) has a new PIN, but the disk did not confirm it. A power failure may bring the old "
                    + "PIN back.",
                advice: CommandFailure.checkDisk)
        } catch { throw target.failure(error, of: user) }
        let more = new.withPIN { new in target.revokeReplaced(&client, by: user, new) }
        return CommandOutcome(
            report: Report(
                ["\(user.identity) has a new PIN, and has logged in with it."]
                    + (proved ?? TargetAccount.warnings(user)) + more,
                target.description(of: user)))
    }

    private func prove(
        _ entry: PINEntry, _ user: User, _ client: inout MPinClient, _ target: TargetAccount
    ) throws(CommandFailure) {
        try target.prove(&client, as: user, entry) { client, pending, pin throws(MPinError) in
            _ = try client.finishAuthentication(pending, pin: pin)
        }
    }
}

import ArgumentParser
import MPin

/// Gives a registration a new PIN; the old one counts until the new one has logged in.
struct ChangePINCommand: EnrollCommand {
    static let configuration = CommandConfiguration(commandName: "change-pin", abstract: "Choose a new PIN.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var old: PINOptions

    @Option(help: ArgumentHelp("A file with the new PIN, or - for standard input.", valueName: "file"))
    var newPinFile: String?

    func validate() throws {
        guard old.pinFile != "-" || newPinFile != "-" else {
            throw ValidationError("Only one of the PINs can come from standard input.")
        }
    }

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var client = try target.open()
        let user = try target.existing(in: client)
        if let failure = CommandFailure.cannotLogIn(user) { throw failure }
        var newSource = PINSource(file: newPinFile, flag: "--new-pin-file", mayAsk: common.mayAsk)
        let oldSource = old.source(common, for: "change-pin")
        newSource.afterCancelling = Advice("The old PIN stays in force. Once more with", "change-pin")
        // Neither a weak PIN in a file nor one that cannot be had costs a login.
        try oldSource.require()
        try newSource.require()
        let early = newPinFile == nil ? nil : NewPIN(try newSource.newPIN(prompt: ""))
        try target.checkRevocation(&client, of: user)
        let oldPIN = try oldSource.pin(prompt: "Old " + target.prompt(for: user))
        if early == nil {
            // Proved first: nobody should think of a new PIN before the old one is known to be right.
            try target.logIn(&client, as: user, pin: oldPIN)
        }
        // Of that login, where there was one: the next one has nothing to tell.
        let proved = early == nil ? TargetAccount.warnings(user) : nil
        let new: NewPIN
        if let early {
            new = early
        } else {
            new = NewPIN(
                try newSource.newPIN(prompt: "New PIN for \(user.identity) on \(HostName.here), 4 to 6 digits: "))
        }
        guard !(try new.withPIN { new throws(CommandFailure) in new.equals(oldPIN) }) else {
            // Whether it is the PIN at all, a login says.
            if newPinFile != nil { try target.logIn(&client, as: user, pin: oldPIN) }
            throw CommandFailure(
                .badInput, "SAME_PIN", "That is the PIN in use.",
                advice: Advice("Choose another one with", "change-pin"))
        }
        do throws(MPinError) {
            if client.backend == nil { try client.selectBackend(user.backend) }
            try new.withPIN { new throws(MPinError) in try client.changePIN(user, from: oldPIN, to: new) }
        } catch { throw CommandFailure(error, of: user) }
        return CommandOutcome(
            report: Report(
                ["\(user.identity) has a new PIN, and has logged in with it."]
                    + (proved ?? TargetAccount.warnings(user)),
                target.description(of: user)))
    }
}

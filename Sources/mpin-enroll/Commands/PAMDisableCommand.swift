// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import PAMStack

/// `pam disable`: undoes `pam enable`.
struct PAMDisableCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Undo 'pam enable': stop asking for the PIN.")

    @OptionGroup(title: HelpText.common) var common: CommonOptions

    @Argument(help: "The PAM service, such as sudo: a file in /etc/pam.d.", completion: .services) var service: String

    @OptionGroup var confirmation: ChangeConfirmation

    func work() throws(CommandFailure) -> CommandOutcome {
        try StackLock.held(confirmation.isGiven, common) { () throws(CommandFailure) in try change() }
    }

    private func change() throws(CommandFailure) -> CommandOutcome {
        let machine = MachineStacks()
        let stacks = try machine.service(service)
        let change = try ServiceChange(stacks, common)
        if change.isPresent { return try change.disable(isConfirmed: confirmation.isGiven) }
        guard let present = MachineStacks.own(stacks).first else {
            return CommandOutcome(
                report: Report(
                    ["\(stacks.name) does not ask for the PIN."],
                    ["service": .text(stacks.name), "changed": .flag(false)]))
        }
        if AuthUpdate.serves(stacks), AuthUpdate.isEnabled {
            return try AuthUpdate(service: stacks.name, options: common).disable(isConfirmed: confirmation.isGiven)
        }
        throw .stacks(
            "mpin-enroll did not write \(present.place.file) line \(present.place.line), so it does not remove it.",
            Advice("Delete that line yourself. Keep a root shell open until a login has worked in another window."))
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import PAMStack

/// `pam disable`: undoes `pam enable`.
struct PAMDisableCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Undo 'pam enable': stop asking for the PIN.",
        discussion: "Changes sudo and sudo-i together, and su and su-l.")

    @OptionGroup(title: HelpText.common) var common: CommonOptions

    @Argument(help: "The PAM service, such as sudo: a file in /etc/pam.d.", completion: .services) var service: String

    @OptionGroup var confirmation: ChangeConfirmation

    func work() throws(CommandFailure) -> CommandOutcome {
        try StackLock.held(confirmation.isGiven, common) { () throws(CommandFailure) in try change() }
    }

    private func change() throws(CommandFailure) -> CommandOutcome {
        let machine = MachineStacks()
        let typed = try machine.service(service)
        _ = try ServiceChange(typed)
        let program = ProgramServices(typed.name, machine)
        let change = try ProgramChange(program, machine, common)
        if change.isPresent { return try change.disable(isConfirmed: confirmation.isGiven) }
        let services = program.names.map { machine.reader.service($0) }
        guard let present = services.flatMap(MachineStacks.own).first else {
            let verb = program.names.count == 1 ? "does" : "do"
            return CommandOutcome(
                report: Report(
                    ["\(program.text) \(verb) not ask for the PIN."],
                    ["service": .text(typed.name), "changed": .flag(false)]))
        }
        if services.contains(where: AuthUpdate.serves), AuthUpdate.isEnabled {
            return try AuthUpdate(program: program, options: common).disable(isConfirmed: confirmation.isGiven)
        }
        throw .stacks(
            "mpin-enroll did not write \(present.place.file) line \(present.place.line), so it does not remove it.",
            Advice("Delete that line yourself. Keep a root shell open until a login has worked in another window."))
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import PAMStack

struct PAMDisableCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Undo 'pam enable': stop asking for the PIN.",
        discussion:
            "Shows the change and asks, as 'enable' does. Changes sudo and sudo-i together, and su and su-l. Does not change common-auth."
    )

    @Argument(help: "The PAM service, such as sudo: a file in /etc/pam.d.", completion: .services) var service: String

    @Flag(help: "Make the change without asking.") var yes = false
    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
        try ProgramChange.perform(yes, common) { consent throws(CommandFailure) in try change(&consent) }
    }

    private func change(_ consent: inout ProgramChange.Consent) throws(CommandFailure) -> Report {
        let machine = MachineStacks()
        let typed = try machine.service(service)
        _ = try ServiceChange(typed)
        let program = ProgramServices(typed.name, machine)
        let change = try ProgramChange(program, machine, common)
        if change.isPresent { return try change.disable(&consent) }
        let own = program.names.map { OwnLines(machine.reader.service($0)) }.filter { !$0.lines.isEmpty }
        guard let asking = own.first(where: \.isShared) ?? own.first else {
            let verb = program.names.count == 1 ? "does" : "do"
            return Report(
                ["\(program.text) \(verb) not ask for the PIN."],
                ["service": typed.name, "changed": false])
        }
        guard !asking.isShared else {
            throw .stacks(
                "\(asking.stacks.name) asks for the PIN through common-auth, which 'pam disable' does not change: "
                    + "\(asking.places). Nothing was changed.", AuthUpdate.disablesAll)
        }
        let place = asking.lines[0].place
        throw .stacks(
            "mpin-enroll did not write \(place.file) line \(place.line), so it does not remove it.",
            Advice("Delete that line yourself. Keep a root shell open until a login has worked in another window."))
    }
}

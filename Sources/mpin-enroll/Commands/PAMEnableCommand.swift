// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPin
import PAMStack

struct PAMEnableCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Make a service ask for the PIN.",
        discussion: """
            Shows the change and, at a terminal, asks whether to make it. sudo and sudo-i change together, and so do \
            su and su-l. Other services do not change. To change all services that include common-auth, use \
            pam-auth-update.

            Example: sudo mpin-enroll pam enable sudo
            """)

    @Argument(help: "The PAM service, such as sudo: a file in /etc/pam.d.", completion: .services) var service: String

    @Option(help: .value("recipe", "Ask for the PIN instead of the password, or for both."))
    var recipe: Recipe = .instead

    @Flag(help: "Make the change without asking.") var yes = false
    @OptionGroup var common: CommonOptions

    /// ``StackBlock/Recipe`` as a command-line argument.
    enum Recipe: String, CaseIterable, ExpressibleByArgument {
        case instead, addition

        var recipe: StackBlock.Recipe { self == .instead ? .instead : .addition }
    }

    func work() throws(CommandFailure) -> Report {
        try ProgramChange.perform(yes, common) { consent throws(CommandFailure) in try change(&consent) }
    }

    private func change(_ consent: inout ProgramChange.Consent) throws(CommandFailure) -> Report {
        let machine = MachineStacks()
        let typed = try machine.service(service)
        _ = try ServiceChange(typed)
        guard !typed.name.hasPrefix("common-") else {
            throw CommandFailure(
                .badInput, "BAD_INPUT", "\(typed.name) is not a service, but a file that services include.",
                advice: Advice("Choose one of the services that include it: grep -l \(typed.name) /etc/pam.d/*"))
        }
        let program = ProgramServices(typed.name, machine)
        let change = try ProgramChange(program, machine, common)
        let services = program.names.map { machine.reader.service($0) }
        let own = services.map(OwnLines.init).filter { !$0.lines.isEmpty }
        if let other = own.first(where: { $0.recipe != recipe.recipe }) { throw conflict(other) }
        if own.count == services.count { return unchanged(own, program, machine) }
        guard ModuleFile.path(of: ModuleKnowledge.own) != nil else {
            throw .stacks(
                "\(ModuleKnowledge.own) is not installed, so \(typed.name) cannot ask for the PIN.",
                ModuleExamination.install)
        }
        guard ModuleExamination.isLoadable(ModuleKnowledge.own) else {
            let fault = ModuleExamination.fault(ModuleKnowledge.own)
            throw .stacks(
                "\(fault?.sentence ?? "\(ModuleKnowledge.own) cannot be loaded.") Nothing was changed.", fault?.advice)
        }
        let enrolled = EnrolledUsers(try common.configuration())
        if let obstacle = MachineStacks.obstacle([], onlyArguments: false) {
            throw .stacks("\(obstacle). Nothing was changed.", Advice("Show every problem", "config check"))
        }
        return try change.enable(recipe.recipe, &consent, enrolled)
    }

    /// The error for a service that already asks for the PIN, but with the other recipe: an administrator who wants two
    /// factors must not be left with one.
    private func conflict(_ own: OwnLines) -> CommandFailure {
        let name = own.stacks.name
        return .stacks(
            "\(name) already asks for the PIN, but \(PAMEnableCommand.meaning(own.recipe)): \(own.places). Nothing "
                + "was changed.",
            own.isRemovable
                ? own.removal("Undo that first")
                : Advice("First remove that line yourself.").adding(PAMEnableCommand.show(name)))
    }

    /// The result for a program whose services already ask for the PIN.
    private func unchanged(_ own: [OwnLines], _ program: ProgramServices, _ machine: MachineStacks) -> Report {
        let lines = own.map {
            "\($0.stacks.name) already asks for the PIN \(PAMEnableCommand.meaning($0.recipe)): \($0.places)."
        }
        let double = own.first(where: \.isDouble)
        return Report(
            lines + own.filter(\.isDouble).map(\.sentence)
                + ServiceExamination(machine, program.service).inThisSession,
            ["service": program.service, "changed": false],
            next: double?.remedy ?? PAMEnableCommand.show(program.service))
    }

    private static func show(_ service: String) -> Advice {
        Advice("Check how logins will end", "pam show \(CommonOptions.quoted(service))")
    }

    private static func meaning(_ recipe: StackBlock.Recipe?) -> String {
        switch recipe {
        case .instead: "instead of the password"
        case .addition: "in addition to the password"
        case nil: "in a custom way"
        }
    }
}

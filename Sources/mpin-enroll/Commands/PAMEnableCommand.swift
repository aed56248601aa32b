import ArgumentParser
import Glibc
import MPin
import PAMStack

/// `pam enable`: has a service ask for the PIN.
struct PAMEnableCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Have a service ask for the PIN.",
        discussion: """
            Shows what would change; changes it with --really. Where pam-auth-update has a profile for M-Pin and the \
            service includes common-auth, that is used, and holds for all services that include it.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: "The PAM service: a file in /etc/pam.d, as sudo.", completion: .services)
    var service: String

    @Option(
        help: ArgumentHelp(
            "What the PIN is to be: instead of the password, or in addition to it. Default: instead.",
            valueName: "recipe"))
    var recipe: Recipe = .instead

    @Flag(help: "Change this service alone, also where pam-auth-update could do it for all.")
    var only = false

    @Flag(help: "Write it.")
    var really = false

    /// ``StackBlock/Recipe``, as people write it.
    enum Recipe: String, CaseIterable, ExpressibleByArgument {
        case instead, addition

        var recipe: StackBlock.Recipe { self == .instead ? .instead : .addition }
    }

    func work() throws(CommandFailure) -> CommandOutcome {
        try StackLock.held(really, common) { () throws(CommandFailure) in try change() }
    }

    private func change() throws(CommandFailure) -> CommandOutcome {
        let machine = MachineStacks()
        let stacks = try machine.service(service)
        guard let path = stacks.file else { throw ServiceChange.noService(stacks.name) }
        guard !stacks.name.hasPrefix("common-") else {
            throw CommandFailure(
                .badInput, "BAD_INPUT", "\(stacks.name) is no service, but what services include.",
                advice: Advice("Name one of these: grep -l \(stacks.name) /etc/pam.d/*"))
        }
        let own = OwnLines(stacks)
        if !own.lines.isEmpty { return try unchanged(own) }
        guard ModuleFile.path(of: ModuleKnowledge.own) != nil else {
            throw CommandFailure(
                .configuration, "CONFIGURATION",
                "\(ModuleKnowledge.own) is not installed, so \(stacks.name) cannot ask for the PIN.",
                advice: ModuleExamination.install)
        }
        guard ModuleExamination.isLoadable(ModuleKnowledge.own) else {
            let fault = ModuleExamination.fault(ModuleKnowledge.own)
            throw CommandFailure(
                .configuration, "CONFIGURATION",
                "\(fault?.sentence ?? "\(ModuleKnowledge.own) cannot be loaded.") \(stacks.name) stays as it is.",
                advice: fault?.advice)
        }
        let enrolled = try Enrolled(common)
        if let obstacle = MachineStacks.obstacle([], onlyArguments: false) {
            throw CommandFailure(
                .configuration, "CONFIGURATION", "\(obstacle). \(stacks.name) stays as it is.",
                advice: Advice("See every problem", "config check"))
        }
        if recipe == .instead, !only, AuthUpdate.serves(stacks) {
            return try AuthUpdate(service: stacks.name, options: common).enable(really: really, enrolled)
        }
        let change = ServiceChange(service: stacks.name, path: path, options: common)
        return try change.enable(recipe.recipe, machine, really: really, enrolled)
    }

    /// What is said of a service that asks for the PIN already: whoever wants two factors is not to be left with one.
    private func unchanged(_ own: OwnLines) throws(CommandFailure) -> CommandOutcome {
        let name = own.stacks.name, present = own.recipe
        let show = Advice("What becomes of logins says", "pam show \(CommonOptions.quoted(name))")
        guard present == recipe.recipe else {
            let all =
                own.isShared ? " The profile of pam-auth-update there holds for all that include common-auth." : ""
            throw CommandFailure(
                .configuration, "CONFIGURATION",
                "\(name) asks for the PIN already \(PAMEnableCommand.meaning(present)): \(own.places). Nothing is changed, "
                    + "so it does not ask for it \(PAMEnableCommand.meaning(recipe.recipe)).\(all)",
                advice: own.isRemovable
                    ? Advice("Take that back first", own.disable)
                    : Advice("Take that line out yourself first. \(show.words)", show.command))
        }
        let lines = ["\(name) asks for the PIN already \(PAMEnableCommand.meaning(present)): \(own.places)."]
        return CommandOutcome(
            report: Report(
                lines + (own.isDouble ? [own.sentence] : []), ["service": .text(name), "changed": .flag(false)],
                next: own.isDouble ? own.remedy : show))
    }

    private static func meaning(_ recipe: StackBlock.Recipe?) -> String {
        switch recipe {
        case .instead: "instead of the password"
        case .addition: "in addition to the password"
        case nil: "in a way of its own"
        }
    }
}

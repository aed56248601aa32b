// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPin
import PAMStack

/// `pam enable`: makes a service ask for the PIN.
struct PAMEnableCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Make a service ask for the PIN.",
        discussion: """
            Shows the change. Makes it only with --yes. If the service includes common-auth and pam-auth-update has \
            M-Pin's profile, this enables the profile, which applies to every service that includes common-auth.

            Example: sudo mpin-enroll pam enable sudo --only --yes
            """)

    @OptionGroup(title: HelpText.common) var common: CommonOptions

    @Argument(help: "The PAM service, such as sudo: a file in /etc/pam.d.", completion: .services) var service: String

    @Option(help: .value("recipe", "Ask for the PIN instead of the password, or in addition to it."))
    var recipe: Recipe = .instead

    @Flag(help: "Change only this service, even if pam-auth-update could change all services.") var only = false

    @OptionGroup var confirmation: ChangeConfirmation

    /// ``StackBlock/Recipe`` as a command-line argument.
    enum Recipe: String, CaseIterable, ExpressibleByArgument {
        case instead, addition

        var recipe: StackBlock.Recipe { self == .instead ? .instead : .addition }
    }

    func work() throws(CommandFailure) -> CommandOutcome {
        try StackLock.held(confirmation.isGiven, common) { () throws(CommandFailure) in try change() }
    }

    private func change() throws(CommandFailure) -> CommandOutcome {
        let machine = MachineStacks()
        let stacks = try machine.service(service)
        let change = try ServiceChange(stacks, common)
        guard !stacks.name.hasPrefix("common-") else {
            throw CommandFailure(
                .badInput, "BAD_INPUT", "\(stacks.name) is not a service, but a file that services include.",
                advice: Advice("Choose one of the services that include it: grep -l \(stacks.name) /etc/pam.d/*"))
        }
        let own = OwnLines(stacks)
        if !own.lines.isEmpty { return try unchanged(own) }
        guard ModuleFile.path(of: ModuleKnowledge.own) != nil else {
            throw .stacks(
                "\(ModuleKnowledge.own) is not installed, so \(stacks.name) cannot ask for the PIN.",
                ModuleExamination.install)
        }
        guard ModuleExamination.isLoadable(ModuleKnowledge.own) else {
            let fault = ModuleExamination.fault(ModuleKnowledge.own)
            throw .stacks(
                "\(fault?.sentence ?? "\(ModuleKnowledge.own) cannot be loaded.") Nothing was changed.", fault?.advice)
        }
        let enrolled = try EnrolledUsers(common)
        if let obstacle = MachineStacks.obstacle([], onlyArguments: false) {
            throw .stacks("\(obstacle). Nothing was changed.", Advice("Show every problem", "config check"))
        }
        if recipe == .instead, !only, AuthUpdate.serves(stacks) {
            return try AuthUpdate(service: stacks.name, options: common).enable(
                isConfirmed: confirmation.isGiven, enrolled)
        }
        return try change.enable(recipe.recipe, machine, isConfirmed: confirmation.isGiven, enrolled)
    }

    /// The result for a service that already asks for the PIN. With the other recipe it is an error, so that an
    /// administrator who wants two factors is not left with one.
    private func unchanged(_ own: OwnLines) throws(CommandFailure) -> CommandOutcome {
        let name = own.stacks.name, present = own.recipe
        let show = Advice("Check how logins will end", "pam show \(CommonOptions.quoted(name))")
        guard present == recipe.recipe else {
            let all =
                own.isShared ? " The pam-auth-update profile applies to every service that includes common-auth." : ""
            throw .stacks(
                "\(name) already asks for the PIN, but \(PAMEnableCommand.meaning(present)): \(own.places). Nothing "
                    + "was changed.\(all)",
                own.isRemovable
                    ? Advice("Undo that first", own.disable) : Advice("First remove that line yourself.").adding(show))
        }
        let lines = ["\(name) already asks for the PIN \(PAMEnableCommand.meaning(present)): \(own.places)."]
        return CommandOutcome(
            report: Report(
                lines + (own.isDouble ? [own.sentence] : []), ["service": .text(name), "changed": .flag(false)],
                next: own.isDouble ? own.remedy : show))
    }

    private static func meaning(_ recipe: StackBlock.Recipe?) -> String {
        switch recipe {
        case .instead: "instead of the password"
        case .addition: "in addition to the password"
        case nil: "in a custom way"
        }
    }
}

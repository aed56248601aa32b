// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import PAMStack

/// Refuses a change of a service's stack that would not have the effect of its recipe, or would have others.
struct ChangeJudgment {
    private let service: ServiceChange
    private let stacks: ServiceStacks
    private let later: MachineStacks
    private let comparison: StackComparison

    /// - Parameters:
    ///   - machine: the machine before the change.
    ///   - later: the machine after the change.
    init(_ service: ServiceChange, _ machine: MachineStacks, _ later: MachineStacks) {
        (self.service, self.later) = (service, later)
        stacks = later.reader.service(service.service)
        comparison = machine.comparison(with: later, service.service)
    }

    private var name: String { service.service }

    func permit(enabling recipe: StackBlock.Recipe) throws(CommandFailure) {
        let forecast = later.forecast(stacks)
        guard !forecast.isClosed else { throw closed }
        try demandEffect(forecast, recipe)
        if recipe == .instead { try demandGroups() }
        if comparison.letsInMore { throw opened }
        if ServiceExamination(later, name).pastTheLock != nil { throw unlocked }
        if recipe == .instead, comparison.keepsOut { throw shut }
        try demandPrompt(recipe)
    }

    func permitDisabling() throws(CommandFailure) {
        guard !later.forecast(stacks).isClosed else { throw closed }
        if comparison.isMoreOpen { throw opened }
        if comparison.keepsOut { throw shut }
    }

    private func demandEffect(_ forecast: StackForecast, _ recipe: StackBlock.Recipe) throws(CommandFailure) {
        let isMeant = recipe == .instead ? forecast.takesPINInsteadOfPassword : forecast.wantsPINAndPassword
        guard !isMeant else { return }
        let file = MachineStacks.own(stacks).first?.place.file ?? service.path
        throw service.refusal(
            recipe == .instead
                ? "With M-Pin's line in \(file), \(name) would still require the password in some cases."
                : "With M-Pin's line in \(file), \(name) would not always require both PIN and password.")
    }

    /// Refuses to skip a line with pam_group.so with the right PIN. pam_group.so adds groups when the credentials are
    /// set, and libpam then runs the same lines as in the login.
    private func demandGroups() throws(CommandFailure) {
        let rest = stacks.entries(.auth).drop { $0.moduleName != ModuleKnowledge.own }
        guard let entry = rest.first(where: { $0.moduleName == "pam_group.so" }) else { return }
        throw .stacks(
            "With the PIN, \(entry.place.file) line \(entry.place.line) would not be reached: pam_group.so would give "
                + "no groups. Nothing was changed.",
            Advice("Move that line above the lines that ask for the password, then try again."))
    }

    /// Refuses lines that would never ask for a PIN, and to require a PIN in a service that cannot ask for one.
    private func demandPrompt(_ recipe: StackBlock.Recipe) throws(CommandFailure) {
        let examination = ServiceExamination(later, name)
        if examination.isPassedOver {
            throw .stacks(
                "M-Pin asks for no PIN over the network unless method is set, so \(name) would "
                    + (recipe == .instead ? "not change." : "refuse every user."),
                Advice("To log in to this machine with ssh certificates instead, see: man mpin-enroll (ssh setup)")
                    .adding("To accept the PIN over the network, see method in: man mpin.conf"))
        }
        if recipe == .addition, examination.lacksAgent {
            throw .stacks(
                "\(name) would refuse every user: it runs as its user and needs the agent, which does not run.",
                Advice("Start the agent first: sudo systemctl enable --now mpin-agent.socket"))
        }
    }

    /// The error for a change that would skip a line that refuses users, such as one below the password's.
    private var opened: CommandFailure {
        service.refusal(
            "\(name) would let in users that another line of \(service.path) now refuses. Nothing was changed.")
    }

    /// The error for a change that would skip the line of pam_faillock.so that refuses locked accounts.
    private var unlocked: CommandFailure {
        .stacks(
            "\(name) would let in accounts that pam_faillock has locked. Nothing was changed.",
            Advice("Add the line by hand, below 'pam_faillock.so preauth'. See: man pam_mpin"))
    }

    /// The error for a change that would refuse users who get in now.
    private var shut: CommandFailure {
        service.refusal("\(name) would refuse users that it now lets in. Nothing was changed.")
    }

    private var closed: CommandFailure { service.refusal("\(name) would refuse every user. Nothing was changed.") }
}

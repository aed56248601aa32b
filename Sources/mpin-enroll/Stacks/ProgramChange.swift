// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import PAMStack
import SystemFiles

/// Changes the files of all services of a program, or none of them.
struct ProgramChange {
    let program: ProgramServices
    let options: CommonOptions
    let machine: MachineStacks
    private let services: [ServiceChange]

    init(_ program: ProgramServices, _ machine: MachineStacks, _ options: CommonOptions) throws(CommandFailure) {
        var services: [ServiceChange] = []
        for name in program.names { services.append(try ServiceChange(try machine.service(name))) }
        (self.program, self.machine, self.options, self.services) = (program, machine, options, services)
    }

    /// Whether the user wants the change to be made.
    enum Consent: Equatable {
        /// Only show it.
        case none
        /// `--yes`.
        case given
        /// Show it, and ask.
        case asking
        /// The user has agreed to what these lines show.
        case to([String])

        var isGiven: Bool { self == .given || isAgreed }
        var isAgreed: Bool { if case .to = self { true } else { false } }
    }

    /// Makes a change under the lock. At a terminal, the user is asked before that, because a question can stay open for
    /// long. Then the change is computed again, and must still be the one that was shown.
    static func perform(
        _ isYes: Bool, _ options: CommonOptions, _ change: (inout Consent) throws(CommandFailure) -> Report
    ) throws(CommandFailure) -> Report {
        var consent: Consent = isYes ? .given : asks(options) ? .asking : .none
        if consent == .asking {
            let report = try change(&consent)
            // There is nothing to change.
            guard consent.isAgreed else { return report }
        }
        return try StackLock.held(consent.isGiven) { () throws(CommandFailure) in try change(&consent) }
    }

    /// Whether one of the files has lines that `pam enable` wrote.
    var isPresent: Bool { services.contains(where: \.isPresent) }

    func enable(
        _ recipe: StackBlock.Recipe, _ consent: inout Consent, _ enrolled: EnrolledUsers
    ) throws(CommandFailure) -> Report {
        try enrolled.require(for: program.text, recipe)
        var changes: [FileChange] = []
        for service in services where !ProgramChange.contains(changes, service) {
            let now = ProgramChange.machine(after: changes)
            // It may include the file of a service that has just been changed.
            guard MachineStacks.own(now.reader.service(service.service)).isEmpty else { continue }
            changes.append(try service.enabling(recipe, now.reader))
        }
        let later = ProgramChange.machine(after: changes)
        for service in services where !ProgramChange.isLink(service, of: changes) {
            // A service that already asks stays as it is.
            guard MachineStacks.own(machine.reader.service(service.service)).isEmpty else { continue }
            try ChangeJudgment(service, machine, later).permit(enabling: recipe)
        }
        var notes = exceptions(later)
        // The profile's recipe is `instead`.
        let isServed = changes.contains { AuthUpdate.serves(machine.reader.service($0.service)) }
        if recipe == .instead, isServed, AuthUpdate.hasProfile { notes.append(AuthUpdate.enablesAll) }
        if recipe == .addition {
            let verb = program.names.count == 1 ? "refuses" : "refuse"
            notes.append(
                "After this change, \(program.text) \(verb) users who are not enrolled, and every user while the server is "
                    + "unreachable. Keep another way to become root, such as root's password at a console.")
        }
        if enrolled.answer == .unknown { notes.append("The enrollments could not be read, so there may be none.") }
        return try finish(
            changes, notes, risks: program.names.flatMap { ServiceExamination(later, $0).networkRisk }, "enable",
            recipe == .instead ? [] : ["--recipe", recipe.rawValue], &consent)
    }

    func disable(_ consent: inout Consent) throws(CommandFailure) -> Report {
        var changes: [FileChange] = []
        for service in services where service.isPresent && !ProgramChange.contains(changes, service) {
            changes.append(try service.disabling())
        }
        let later = ProgramChange.machine(after: changes)
        for service in services where !ProgramChange.isLink(service, of: changes) {
            try ChangeJudgment(service, machine, later).permitDisabling()
        }
        return try finish(changes, [], risks: [], "disable", [], &consent)
    }

    private static func machine(after changes: [FileChange]) -> MachineStacks {
        MachineStacks(changed: Dictionary(changes.map { ($0.target, $0.change.content) }) { $1 })
    }

    /// Whether a service's file is one of the changed files, under this or another name.
    private static func contains(_ changes: [FileChange], _ service: ServiceChange) -> Bool {
        let file = FileIdentity(of: service.path)
        return changes.contains { $0.path == service.path || (file != nil && FileIdentity(of: $0.path) == file) }
    }

    /// Whether a service's file is a link to a changed file, whose new content is not known under the link's name.
    private static func isLink(_ service: ServiceChange, of changes: [FileChange]) -> Bool {
        contains(changes, service) && !changes.contains { $0.path == service.path }
    }

    /// The logins for which the services take no PIN.
    private func exceptions(_ machine: MachineStacks) -> [String] {
        let services = program.names.map { ServiceExamination(machine, $0) }
        let typed = services.first { $0.stacks.name == program.service }
        return services.compactMap(\.exception) + (typed?.inThisSession ?? [])
    }

    /// Whether the user can be asked at the terminal, and would be able to make the change.
    static func asks(_ options: CommonOptions) -> Bool {
        geteuid() == 0 && options.mayAsk && isatty(STDOUT_FILENO) == 1
    }

    /// Shows a change on the terminal, and asks whether to make it.
    private func ask(_ lines: [String]) throws(CommandFailure) -> Consent {
        guard let terminal = Terminal() else { return .none }
        try Report(lines, [:], isAnswer: true, paints: ProgramChange.paints).print(options)
        guard terminal.confirms("Change \(program.text)? [y/N] ") else {
            throw CommandFailure(.canceled, "CANCELED", "Nothing was changed.")
        }
        return .to(lines)
    }

    /// - Parameters:
    ///   - notes: what the user should know about the change.
    ///   - risks: what the user must know before it is made.
    private func finish(
        _ changes: [FileChange], _ notes: [String], risks: [String], _ verb: String, _ more: [String],
        _ consent: inout Consent
    ) throws(CommandFailure) -> Report {
        let service = program.service, isOn = verb == "enable"
        let columns = options.display(STDOUT_FILENO).columns
        let notes = notes.flatMap { Display.wrapped($0, columns: columns) }
        let diff = changes.flatMap(\.diff), lines = diff + notes + risks
        if consent == .given { risks.forEach(Terminal.say) }
        let words = ["pam", verb, CommonOptions.quoted(service)] + more
        if consent == .asking {
            consent = try ask(lines)
            // The change follows, under the lock.
            if consent.isAgreed { return Report([], [:]) }
        }
        let isConfirmed = consent.isGiven, isAgreed = consent.isAgreed
        guard !isAgreed || consent == .to(lines) else {
            throw .stacks(
                "A file changed while the question was open. Nothing was written.",
                Advice("Try again", words.joined(separator: " ")))
        }
        var members: Members = [
            "service": service, "changed": isConfirmed, "diff": lines.joined(separator: "\n"),
            "files":
                changes.map { change in
                    [
                        "service": change.service, "file": change.target,
                        "backup": isConfirmed ? change.backup : nil,
                    ]
                },
        ]
        guard isConfirmed else {
            return Report(
                lines + ["Nothing has been written yet."], members,
                next: Advice("Apply it", (words + ["--yes"]).joined(separator: " ")), isAnswer: true,
                paints: ProgramChange.paints)
        }
        try FileChange.write(changes)
        // Reads the result from the disk.
        let changed = program.names.map { ServiceExamination(MachineStacks(), $0) }
        let isAsking = changed.map { !$0.own.isEmpty && !$0.isPassedOver }
        members["asks"] = isOn ? isAsking.allSatisfy { $0 } : isAsking.contains(true)
        // A user who has agreed has read the change and the notes.
        let told =
            (isAgreed ? [] : diff) + changed.map { sentence(isOn, $0) } + (isAgreed ? [] : notes)
            + changes.compactMap(\.backup).map { "Backup of the file: \($0)" }
            + ["Keep a root shell open until a login has worked in another window."]
        let isLeft = changed.contains { !$0.own.isEmpty }
        return Report(
            told, members, next: isLeft && !isOn ? way(changed) : nil,
            undo: isOn ? "pam disable \(CommonOptions.quoted(service)) --yes" : nil, paints: ProgramChange.paints)
    }

    /// The command that removes a remaining line, unless an administrator wrote that line.
    private func way(_ changed: [ServiceExamination]) -> Advice {
        let name = CommonOptions.quoted(program.service)
        if isPresent { return Advice("Remove that line too", "pam disable \(name) --yes") }
        let isShared = changed.contains { OwnLines($0.stacks).isShared }
        return isShared ? AuthUpdate.disablesAll : Advice("Check how logins will end", "pam show \(name)")
    }

    private func sentence(_ isOn: Bool, _ changed: ServiceExamination) -> String {
        let service = changed.stacks.name
        guard let line = changed.own.first else {
            return isOn ? "\(service) does not ask for the PIN." : "\(service) no longer asks for the PIN."
        }
        guard !changed.isPassedOver else {
            return "The lines were removed, and \(service) asks for no PIN."
        }
        guard !isOn else {
            return "\(service) asks for the PIN now"
                + (changed.inThisSession.isEmpty ? "." : ", but not in this session.")
        }
        return
            "The lines were removed, but \(service) still asks for the PIN: \(line.place.file) line \(line.place.line)."
    }

    private static let paints: [(beginning: String, paint: Display.Paint)] = [("+", .green), ("-", .red)]
}

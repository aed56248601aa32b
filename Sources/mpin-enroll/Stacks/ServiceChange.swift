import Glibc
import PAMStack

/// A change of one service's own file: three lines come or go.
struct ServiceChange {
    let service: String
    let path: String
    let options: CommonOptions

    static func noService(_ name: String) -> CommandFailure {
        CommandFailure(
            .badInput, "BAD_INPUT", "There is no PAM service '\(name)' on this machine.",
            advice: Advice("Services are the files in /etc/pam.d: ls /etc/pam.d"))
    }

    /// Where what is written goes: the machine's own directory, also for a file that came with the system.
    private var target: String { StackReader.directories[0] + "/" + service }
    private var backup: String { target + ".pam-old" }

    var isPresent: Bool { MachineFile.load(path).map { StackBlock($0).isPresent } ?? false }

    func enable(
        _ recipe: StackBlock.Recipe, _ machine: MachineStacks, really: Bool, _ enrolled: Enrolled
    ) throws(CommandFailure) -> CommandOutcome {
        let content = try load()
        let change: StackBlock.Change
        do throws(StackBlock.Obstacle) {
            change = try StackBlock(content).inserting(recipe, for: service, machine.reader)
        } catch { throw failure(error) }
        let later = MachineStacks(changed: [target: change.content])
        try enrolled.require(for: service, recipe)
        let stacks = later.reader.service(service)
        try judge(later.forecast(stacks), recipe)
        if recipe == .instead, let entry = ServiceChange.skipped(stacks) { throw skipping(entry) }
        let comparison = machine.comparison(with: later, service)
        if comparison.letsInMore { throw opened }
        if recipe == .instead, comparison.keepsOut { throw shut }
        if recipe == .addition { try demandPrompt(later) }
        var lines = diff(change, of: content)
        if let exception = ServiceChange.examination(later, service).exception { lines.append(exception) }
        if recipe == .addition {
            lines.append("Everybody who uses \(service) has to be enrolled then; whoever is not is refused.")
        }
        if enrolled.answer == .unknown { lines.append("Whether anybody is enrolled could not be looked at.") }
        return try finish(change, content, lines, "enable", really)
    }

    func disable(really: Bool) throws(CommandFailure) -> CommandOutcome {
        let content = try load()
        let change: StackBlock.Change
        do throws(StackBlock.Obstacle) { change = try StackBlock(content).removing() } catch { throw failure(error) }
        let later = MachineStacks(changed: [target: change.content])
        let forecast = later.forecast(later.reader.service(service))
        guard !forecast.isClosed else { throw closed }
        let comparison = MachineStacks().comparison(with: later, service)
        if comparison.isMoreOpen { throw opened }
        if comparison.keepsOut { throw shut }
        return try finish(change, content, diff(change, of: content), "disable", really)
    }

    private func load() throws(CommandFailure) -> [UInt8] {
        guard let status = MachineFile.status(path), status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(
                .configuration, "CONFIGURATION",
                "\(path) is no regular file: another program looks after it, and would undo a change.",
                advice: Advice("Have that program change it, as authselect where there is one."))
        }
        guard let content = MachineFile.load(path) else {
            throw CommandFailure(
                .notPermitted, "NOT_PERMITTED", "\(path) may not be read by this user.", advice: Advice.useSudo)
        }
        return content
    }

    /// Refuses a change that would not mean what it is to mean.
    private func judge(_ forecast: StackForecast, _ recipe: StackBlock.Recipe) throws(CommandFailure) {
        guard !forecast.isClosed else { throw closed }
        let isMeant = recipe == .instead ? forecast.takesPINInsteadOfPassword : forecast.wantsPINAndPassword
        guard !isMeant else { return }
        throw CommandFailure(
            .configuration, "CONFIGURATION",
            recipe == .instead
                ? "With M-Pin's line in \(path) the PIN would not simply take the password's place."
                : "With M-Pin's line in \(path) it would not be so that both PIN and password are needed.",
            advice: Advice(
                "Look at the stack, and write the line yourself as pam_mpin(8) says",
                "pam show \(CommonOptions.quoted(service))"))
    }

    /// Refuses to make a PIN necessary where none can be asked for.
    private func demandPrompt(_ machine: MachineStacks) throws(CommandFailure) {
        let examination = ServiceChange.examination(machine, service)
        if examination.isPassedOver {
            throw CommandFailure(
                .configuration, "CONFIGURATION",
                "Nobody could log in through \(service) then: M-Pin asks for no PIN over the network unless method is set.",
                advice: Advice("Set method for it first, as mpin.conf(5) says, or leave \(service) as it is."))
        }
        if examination.lacksAgent {
            throw CommandFailure(
                .configuration, "CONFIGURATION",
                "Nobody could get past \(service) then: it runs as its user, and no agent is there to ask for the PIN.",
                advice: Advice("Have the agent run first: sudo systemctl enable --now mpin-agent.socket"))
        }
    }

    static func examination(_ machine: MachineStacks, _ service: String) -> ServiceExamination {
        let stacks = machine.reader.service(service)
        return ServiceExamination(
            stacks: stacks, own: MachineStacks.own(stacks), forecast: machine.forecast(stacks))
    }

    /// The line that gives people groups, where it is not reached with the right PIN: it works when the credentials are set,
    /// along the way that the login went.
    private static func skipped(_ stacks: ServiceStacks) -> StackEntry? {
        stacks.entries(.auth).drop { $0.moduleName != ModuleKnowledge.own }.first { $0.moduleName == "pam_group.so" }
    }

    private func skipping(_ entry: StackEntry) -> CommandFailure {
        CommandFailure(
            .configuration, "CONFIGURATION",
            "With the PIN, \(entry.place.file) line \(entry.place.line) would not be reached: pam_group.so gives no groups "
                + "then. \(path) stays as it is.",
            advice: Advice("Move that line above those that ask for the password, and try again."))
    }

    /// The failure of a change that lets people in whom the service refuses, as past a line below the password's.
    private var opened: CommandFailure {
        CommandFailure(
            .configuration, "CONFIGURATION",
            "People could get in through \(service) then whom another line of \(path) refuses now, so it stays as it is.",
            advice: Advice(
                "Change the file yourself, as pam_mpin(8) says; look at the stack",
                "pam show \(CommonOptions.quoted(service))"))
    }

    /// The failure of a change that keeps people out who get in now.
    private var shut: CommandFailure {
        CommandFailure(
            .configuration, "CONFIGURATION",
            "People who get in through \(service) now could not any more, so \(path) stays as it is.",
            advice: Advice(
                "Change the file yourself, as pam_mpin(8) says; look at the stack",
                "pam show \(CommonOptions.quoted(service))"))
    }

    private var closed: CommandFailure {
        CommandFailure(
            .configuration, "CONFIGURATION",
            "Nobody could log in through \(service) then, so \(path) stays as it is.",
            advice: Advice("Look at the stack", "pam show \(CommonOptions.quoted(service))"))
    }

    private func failure(_ obstacle: StackBlock.Obstacle) -> CommandFailure {
        let reason =
            switch obstacle {
            case .noPassword: "\(path) has no line that asks for the password, so there is no place for M-Pin's."
            case .jump(let line): "\(path) line \(line) jumps over the place of M-Pin's line, and would lead elsewhere."
            case .edited(let line):
                "\(path) line \(line): the lines from there on are not as this program has written them."
            case .absent: "\(path) has no lines of this program's."
            }
        return CommandFailure(
            .configuration, "CONFIGURATION", reason,
            advice: Advice(
                "Change that file yourself; pam_mpin(8) has examples. What becomes of logins says",
                "pam show \(CommonOptions.quoted(service))"))
    }

    private func diff(_ change: StackBlock.Change, of content: [UInt8]) -> [String] {
        let lines = StackText.split(content).map { String(decoding: $0, as: UTF8.self) }
        let first = max(0, change.position - 3)
        let behind = change.position + change.removed.count
        let last = min(lines.count, behind + 3)
        let count = last - first
        return [
            "--- \(path)", "+++ \(target)",
            "@@ -\(first + 1),\(count) +\(first + 1),\(count - change.removed.count + change.added.count) @@",
        ] + lines[first..<change.position].map { " " + $0 } + change.removed.map { "-" + $0 }
            + change.added.map { "+" + $0 } + lines[behind..<last].map { " " + $0 }
    }

    private func finish(
        _ change: StackBlock.Change, _ content: [UInt8], _ lines: [String], _ verb: String, _ really: Bool
    ) throws(CommandFailure) -> CommandOutcome {
        let isOn = verb == "enable"
        var members: [String: Report.Value] = [
            "service": .text(service), "file": .text(target), "changed": .flag(really),
            "diff": .text(lines.joined(separator: "\n")),
        ]
        guard really else {
            let words = ["pam", verb, CommonOptions.quoted(service)] + CommonOptions.repeated(["--recipe"], ["--only"])
            return CommandOutcome(
                report: Report(
                    lines + ["Nothing is written yet."], members,
                    next: Advice("To write it", (words + ["--really"]).joined(separator: " ")),
                    paints: ServiceChange.paints),
                isAnswer: true)
        }
        let hasOwn = path == target
        if hasOwn { try MachineFile.replace(backup, with: content, like: path) }
        // A file that came with the system holds again when the one over it is as it was.
        let vendor = StackReader.directories[1] + "/" + service
        if !isOn, MachineFile.load(vendor) == change.content {
            unsafe unlink(target)
        } else {
            try MachineFile.replace(target, with: change.content, like: path)
        }
        // As it is on the disk, with what it includes.
        let changed = ServiceChange.examination(MachineStacks(), service), own = changed.own
        members["asks"] = .flag(!own.isEmpty && !changed.isPassedOver)
        // The plan's sentence about users whose PIN is not taken follows the result.
        let exception = isOn && !own.isEmpty ? changed.exception : nil
        var told = lines.filter { $0 != exception }
        told.append(sentence(isOn, changed))
        if let exception { told.append(exception) }
        if hasOwn {
            told.append("The file as it was: \(backup)")
            members["backup"] = .text(backup)
        }
        told.append("Keep a root shell open until a login has worked in another window.")
        return CommandOutcome(
            report: Report(
                told, members,
                next: own.isEmpty ? nil : way(isOn),
                paints: ServiceChange.paints))
    }

    /// The command for who wants it otherwise. Lines of an administrator's are theirs to take out.
    private func way(_ isOn: Bool) -> Advice {
        let name = CommonOptions.quoted(service)
        guard isOn || isPresent || AuthUpdate.isEnabled else {
            return Advice("What becomes of logins says", "pam show \(name)")
        }
        let isShared = !isOn && !isPresent
        return Advice(
            isOn ? "The way back" : isShared ? AuthUpdate.disablesAll : "To take that out too",
            "pam disable \(name) --really")
    }

    /// What the service does now.
    private func sentence(_ isOn: Bool, _ changed: ServiceExamination) -> String {
        guard let line = changed.own.first else {
            return "\(service) does not ask for the PIN\(isOn ? "" : " any more")."
        }
        guard !changed.isPassedOver else {
            return "The lines are \(isOn ? "in" : "out"), and \(service) asks for no PIN."
        }
        guard !isOn else { return "\(service) asks for the PIN now." }
        return "The lines are out, and \(service) still asks for the PIN: \(line.place.file) line \(line.place.line)."
    }

    private static let paints: [(beginning: String, paint: Display.Paint)] = [("+", .green), ("-", .red)]
}

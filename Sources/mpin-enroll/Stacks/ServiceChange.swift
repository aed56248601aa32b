// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import PAMStack
import SystemFiles

/// Adds three lines to a service's own file, or removes them.
struct ServiceChange {
    let service: String
    let path: String
    let options: CommonOptions

    /// - Throws: ``CommandFailure`` if the service has no file.
    init(_ stacks: ServiceStacks, _ options: CommonOptions) throws(CommandFailure) {
        guard let path = stacks.file else {
            throw CommandFailure(
                .badInput, "BAD_INPUT", "There is no PAM service '\(stacks.name)' on this machine.",
                advice: Advice("List the services: ls /etc/pam.d"))
        }
        (service, self.path, self.options) = (stacks.name, path, options)
    }

    /// The file to write: in /etc/pam.d, even if the service's file is in the system's directory.
    private var target: String { StackReader.directories[0] + "/" + service }
    private var backup: String { target + ".pam-old" }

    var isPresent: Bool { SystemFile.load(path).map { StackBlock($0).isPresent } ?? false }

    func enable(
        _ recipe: StackBlock.Recipe, _ machine: MachineStacks, isConfirmed: Bool, _ enrolled: EnrolledUsers
    ) throws(CommandFailure) -> CommandOutcome {
        let content = try load()
        let change: StackBlock.Change
        do throws(StackBlockError) {
            change = try StackBlock(content).inserting(recipe, for: service, machine.reader)
        } catch { throw failure(error) }
        let later = MachineStacks(changed: [target: change.content])
        try enrolled.require(for: service, recipe)
        let stacks = later.reader.service(service)
        try judge(later.forecast(stacks), recipe)
        if recipe == .instead { try demandGroups(stacks) }
        let comparison = machine.comparison(with: later, service)
        if comparison.letsInMore { throw opened }
        if recipe == .instead, comparison.keepsOut { throw shut }
        if recipe == .addition { try demandPrompt(later) }
        var lines = diff(change, of: content)
        if let exception = ServiceChange.examination(later, service).exception { lines.append(exception) }
        if recipe == .addition { lines.append("After this change, \(service) refuses users who are not enrolled.") }
        if enrolled.answer == .unknown { lines.append("The enrollments could not be read, so there may be none.") }
        return try finish(change, content, lines, "enable", isConfirmed)
    }

    func disable(isConfirmed: Bool) throws(CommandFailure) -> CommandOutcome {
        let content = try load()
        let change: StackBlock.Change
        do throws(StackBlockError) { change = try StackBlock(content).removing() } catch { throw failure(error) }
        let later = MachineStacks(changed: [target: change.content])
        let forecast = later.forecast(later.reader.service(service))
        guard !forecast.isClosed else { throw closed }
        let comparison = MachineStacks().comparison(with: later, service)
        if comparison.isMoreOpen { throw opened }
        if comparison.keepsOut { throw shut }
        return try finish(change, content, diff(change, of: content), "disable", isConfirmed)
    }

    private func load() throws(CommandFailure) -> [UInt8] {
        guard let status = FileFacts(of: path), status.isFile else {
            throw .stacks(
                "\(path) is not a regular file: another program manages it and would undo a change.",
                Advice("Change it with that program, such as authselect."))
        }
        guard let content = SystemFile.load(path) else {
            throw CommandFailure(
                .notPermitted, "NOT_PERMITTED", "\(path) may not be read by this user.", advice: Advice.useSudo)
        }
        return content
    }

    /// Refuses a change that would not have the effect of its recipe.
    private func judge(_ forecast: StackForecast, _ recipe: StackBlock.Recipe) throws(CommandFailure) {
        guard !forecast.isClosed else { throw closed }
        let isMeant = recipe == .instead ? forecast.takesPINInsteadOfPassword : forecast.wantsPINAndPassword
        guard !isMeant else { return }
        throw refusal(
            recipe == .instead
                ? "With M-Pin's line in \(path), \(service) would still require the password in some cases."
                : "With M-Pin's line in \(path), \(service) would not always require both PIN and password.")
    }

    /// Refuses to require a PIN in a service that cannot ask for one.
    private func demandPrompt(_ machine: MachineStacks) throws(CommandFailure) {
        let examination = ServiceChange.examination(machine, service)
        if examination.isPassedOver {
            throw .stacks(
                "\(service) would refuse every user: M-Pin asks for no PIN over the network unless method is set.",
                Advice("Set method for it first. See: man mpin.conf"))
        }
        if examination.lacksAgent {
            throw .stacks(
                "\(service) would refuse every user: it runs as its user and needs the agent, which does not run.",
                Advice("Start the agent first: sudo systemctl enable --now mpin-agent.socket"))
        }
    }

    static func examination(_ machine: MachineStacks, _ service: String) -> ServiceExamination {
        let stacks = machine.reader.service(service)
        return ServiceExamination(stacks: stacks, own: MachineStacks.own(stacks), forecast: machine.forecast(stacks))
    }

    /// Refuses to skip a line with pam_group.so with the right PIN. pam_group.so adds groups when the credentials are
    /// set, and libpam then runs the same lines as in the login.
    private func demandGroups(_ stacks: ServiceStacks) throws(CommandFailure) {
        let rest = stacks.entries(.auth).drop { $0.moduleName != ModuleKnowledge.own }
        guard let entry = rest.first(where: { $0.moduleName == "pam_group.so" }) else { return }
        throw .stacks(
            "With the PIN, \(entry.place.file) line \(entry.place.line) would not be reached: pam_group.so would give "
                + "no groups. Nothing was changed.",
            Advice("Move that line above the lines that ask for the password, then try again."))
    }

    /// The error for a change that would skip a line that refuses users, such as one below the password's.
    private var opened: CommandFailure {
        refusal("\(service) would let in users that another line of \(path) now refuses. Nothing was changed.")
    }

    /// The error for a change that would refuse users who get in now.
    private var shut: CommandFailure {
        refusal("\(service) would refuse users that it now lets in. Nothing was changed.")
    }

    private var closed: CommandFailure { refusal("\(service) would refuse every user. Nothing was changed.") }

    private func failure(_ error: StackBlockError) -> CommandFailure {
        switch error {
        case .noPassword:
            refusal(
                "\(path) has no line that asks for the password, so mpin-enroll cannot tell where to add M-Pin's line.")
        case .jump(let line):
            refusal(
                "\(path) line \(line) jumps over the place of M-Pin's line. Adding the line would change "
                    + "where the jump ends.")
        case .edited(let line): refusal("\(path) line \(line): the lines that mpin-enroll added were edited.")
        case .absent: refusal("\(path) has no lines written by mpin-enroll.")
        }
    }

    private func refusal(_ sentence: String) -> CommandFailure {
        .stacks(
            sentence,
            Advice(
                "Change the file yourself (see: man pam_mpin). Check the stack",
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
        _ change: StackBlock.Change, _ content: [UInt8], _ lines: [String], _ verb: String, _ isConfirmed: Bool
    ) throws(CommandFailure) -> CommandOutcome {
        let isOn = verb == "enable"
        var members: [String: Report.Value] = [
            "service": .text(service), "file": .text(target), "changed": .flag(isConfirmed),
            "diff": .text(lines.joined(separator: "\n")),
        ]
        guard isConfirmed else {
            let words = ["pam", verb, CommonOptions.quoted(service)] + CommonOptions.typed.words("--recipe", "--only")
            return CommandOutcome(
                report: Report(
                    lines + ["Nothing has been written yet."], members,
                    next: Advice("Apply it", (words + ["--yes"]).joined(separator: " ")), paints: ServiceChange.paints),
                isAnswer: true)
        }
        let hasOwn = path == target
        if hasOwn { try MachineFile.replace(backup, with: content, like: path) }
        // Without the copy in /etc/pam.d, the system's file applies again.
        let vendor = StackReader.directories[1] + "/" + service
        if !isOn, SystemFile.load(vendor) == change.content {
            try MachineFile.remove(target)
        } else {
            try MachineFile.replace(target, with: change.content, like: path)
        }
        // Reads the result from the disk.
        let changed = ServiceChange.examination(MachineStacks(), service), own = changed.own
        members["asks"] = .flag(!own.isEmpty && !changed.isPassedOver)
        // The sentence about logins without a PIN comes after the result.
        let exception = isOn && !own.isEmpty ? changed.exception : nil
        var told = lines.filter { $0 != exception }
        told.append(sentence(isOn, changed))
        if let exception { told.append(exception) }
        if hasOwn {
            told.append("Backup of the file: \(backup)")
            members["backup"] = .text(backup)
        }
        told.append("Keep a root shell open until a login has worked in another window.")
        return CommandOutcome(
            report: Report(told, members, next: own.isEmpty ? nil : way(isOn), paints: ServiceChange.paints))
    }

    /// The command that undoes the change or removes a remaining line, unless an administrator wrote that line.
    private func way(_ isOn: Bool) -> Advice {
        let name = CommonOptions.quoted(service)
        guard isOn || isPresent || AuthUpdate.isEnabled else {
            return Advice("Check how logins will end", "pam show \(name)")
        }
        let isShared = !isOn && !isPresent
        return Advice(
            isOn ? "Undo this" : isShared ? AuthUpdate.disablesAll : "Remove that line too",
            "pam disable \(name) --yes")
    }

    /// The result of the change.
    private func sentence(_ isOn: Bool, _ changed: ServiceExamination) -> String {
        guard let line = changed.own.first else {
            return isOn ? "\(service) does not ask for the PIN." : "\(service) no longer asks for the PIN."
        }
        guard !changed.isPassedOver else {
            return "The lines were \(isOn ? "added, but" : "removed, and") \(service) asks for no PIN."
        }
        guard !isOn else { return "\(service) asks for the PIN now." }
        return
            "The lines were removed, but \(service) still asks for the PIN: \(line.place.file) line \(line.place.line)."
    }

    private static let paints: [(beginning: String, paint: Display.Paint)] = [("+", .green), ("-", .red)]
}

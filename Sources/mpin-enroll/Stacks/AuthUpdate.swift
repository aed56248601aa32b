// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPinPAM
import MPinWire
import PAMStack
import SystemFiles

/// Debian's pam-auth-update, which manages the files that all services include.
struct AuthUpdate {
    let program: ProgramServices
    let options: CommonOptions

    private var service: String { program.service }

    private static let program = "/usr/sbin/pam-auth-update"
    private static let profile = "/usr/share/pam-configs/mpin"
    private static let shared = "common-auth"

    /// Whether pam-auth-update can change what a service asks for.
    static func serves(_ stacks: ServiceStacks) -> Bool {
        // A version without --root cannot be rehearsed, so it is not used.
        unsafe access(program, X_OK) == 0 && SystemFile.load(profile) != nil
            && SystemFile.load(program).map { String(decoding: $0, as: UTF8.self).contains("'--root'") } == true
            && stacks.files.contains { $0.hasSuffix("/" + shared) } && stacks.file?.hasSuffix("/" + shared) == false
    }

    /// The hint before a command that disables the profile.
    static let disablesAll = "Turn off the PIN for every service that includes common-auth"

    /// The command that turns on the password and turns off M-Pin, regardless of other profiles.
    static let way = "sudo pam-auth-update --enable unix --disable mpin"

    /// Whether no profile in the shared file of a service checks who logs in. pam-auth-update then writes
    /// pam_permit.so, which lets every user in.
    static func isEmpty(_ stacks: ServiceStacks) -> Bool {
        stacks.entries(.auth).first { $0.place.file.hasSuffix("/" + shared) }?.moduleName == "pam_permit.so"
    }

    /// Whether the profile is in the shared file.
    static var isEnabled: Bool { isEnabled(MachineStacks()) }

    private static func isEnabled(_ machine: MachineStacks) -> Bool {
        let stacks = machine.reader.service(shared)
        return stacks.entries(.auth).contains {
            $0.moduleName == ModuleKnowledge.own && $0.place.file.hasSuffix("/" + shared)
        }
    }

    func enable(isConfirmed: Bool, _ enrolled: EnrolledUsers) throws(CommandFailure) -> CommandOutcome {
        try enrolled.require(for: program.text, .instead)
        let all = services
        let later = try rehearse("--enable", all)
        let lines = [
            "\(service) includes common-auth, which pam-auth-update manages. M-Pin's profile applies to every service "
                + "that includes it: \(all.joined(separator: ", ")).",
            "Change only \(program.text): " + options.line(alone),
        ]
        guard isConfirmed else {
            let exceptions = later.map { AuthUpdate.exceptions(all, $0) } ?? []
            return plan(lines + exceptions, "--enable", "pam enable \(CommonOptions.quoted(service)) --yes")
        }
        let before = all.map { MachineStacks().reader.service($0) }
        try run("--enable")
        guard AuthUpdate.isEnabled else { throw edited("--enable") }
        do throws(CommandFailure) { try judge(before, MachineStacks(), "--enable") } catch {
            // Another program has changed the files since the rehearsal.
            try run("--disable")
            throw error.adding("The profile was turned off again.")
        }
        let double = all.map { OwnLines(MachineStacks().reader.service($0)) }.filter(\.isDouble)
        let machine = MachineStacks()
        let asking = all.filter {
            !ServiceExamination(machine, $0).isPassedOver && !MethodRule.isUnattended(ByteText([UInt8]($0.utf8)))
        }
        return done(
            asking.isEmpty
                ? "M-Pin's line is in common-auth, but no service asks for the PIN."
                : "These services ask for the PIN now: \(asking.joined(separator: ", ")).",
            more: AuthUpdate.exceptions(all, machine) + double.map { "\($0.sentence) \($0.remedy.text(options))" },
            asks: program.names.allSatisfy { asking.contains($0) },
            next: Advice("Undo this", "pam disable \(CommonOptions.quoted(service)) --yes"))
    }

    func disable(isConfirmed: Bool) throws(CommandFailure) -> CommandOutcome {
        let all = services
        try rehearse("--disable", all)
        guard isConfirmed else {
            return plan(
                [
                    "\(service) asks for the PIN through M-Pin's pam-auth-update profile, which applies to every "
                        + "service that includes common-auth: \(all.joined(separator: ", "))."
                ], "--disable", "pam disable \(CommonOptions.quoted(service)) --yes")
        }
        try run("--disable")
        guard !AuthUpdate.isEnabled else { throw edited("--disable") }
        // M-Pin's lines in the services' own files stay.
        let machine = MachineStacks()
        let left = all.filter { !MachineStacks.own(machine.reader.service($0)).isEmpty }
        let others = all.filter { !left.contains($0) }
        let sentences = [
            others.isEmpty ? nil : "These services no longer ask for the PIN: \(others.joined(separator: ", ")).",
            left.isEmpty ? nil : "These still ask for it, through lines of their own: \(left.joined(separator: ", ")).",
        ]
        let asks = program.names.contains { left.contains($0) }
        return done(
            sentences.compactMap { $0 }.joined(separator: " "), asks: asks,
            next: asks ? Advice("Show the line", show) : nil)
    }

    /// The logins for which services with M-Pin's line take no PIN, one sentence for each service.
    private static func exceptions(_ services: [String], _ machine: MachineStacks) -> [String] {
        services.compactMap { name in
            let examination = ServiceExamination(machine, name)
            return examination.own.isEmpty ? nil : examination.exception
        }
    }

    private var show: String { "pam show \(CommonOptions.quoted(service))" }

    /// The command that changes only the service's own file.
    private var alone: String { "pam enable \(CommonOptions.quoted(service)) --only --yes" }

    // MARK: Effects on the services

    /// Refuses a change that would have side effects in a service, before anything is written.
    ///
    /// - Returns: the stacks after the change; `nil` for users other than root, who cannot run pam-auth-update.
    @discardableResult
    private func rehearse(_ verb: String, _ services: [String]) throws(CommandFailure) -> MachineStacks? {
        guard geteuid() == 0 else { return nil }
        guard let rehearsal = AuthUpdateRehearsal(AuthUpdate.program, verb) else { throw failed(verb) }
        let later = MachineStacks(changed: rehearsal.files)
        let isOn = AuthUpdate.isEnabled(later)
        guard isOn == (verb == "--enable") else { throw edited(verb) }
        let machine = MachineStacks()
        // A service that could not be read may include the file as well.
        if let path = machine.services.flatMap({ machine.reader.service($0).unreadable }).first {
            throw MachineStacks.unreadable(path)
        }
        try judge(services.map { machine.reader.service($0) }, later, verb)
        return later
    }

    /// - Parameters:
    ///   - before: the services before the change.
    ///   - later: the machine after the change.
    private func judge(_ before: [ServiceStacks], _ later: MachineStacks, _ verb: String) throws(CommandFailure) {
        let after = before.map { later.reader.service($0.name) }
        if let path = (before + after).flatMap(\.unreadable).first { throw MachineStacks.unreadable(path) }
        let isOn = verb == "--enable"
        let reluctant = program.names.first { !later.forecast(later.reader.service($0)).takesPINInsteadOfPassword }
        if isOn, let reluctant {
            throw refused(
                "M-Pin's profile was not enabled: in some cases, \(reluctant) would still require the password.",
                reluctant, isOn)
        }
        let changes = zip(before, after).map { former, next in
            (name: next.name, comparison: StackComparison(former, next, later.knowledge))
        }
        let opened = changes.filter { isOn ? $0.comparison.letsInMore : $0.comparison.isMoreOpen }.map(\.name)
        let closed = changes.filter(\.comparison.keepsOut).map(\.name)
        guard let first = opened.first ?? closed.first else { return }
        let names = (opened.isEmpty ? closed : opened).joined(separator: ", ")
        if !isOn, !opened.isEmpty, AuthUpdate.isEmpty(later.reader.service(AuthUpdate.shared)) {
            throw .stacks(
                "Without M-Pin, these services would let users in without a password: \(names). No other "
                    + "pam-auth-update profile checks who logs in. Nothing was changed.",
                Advice("Turn on the password and turn off M-Pin: \(AuthUpdate.way)"))
        }
        let change = isOn ? "With M-Pin's line in common-auth" : "Without M-Pin's line in common-auth"
        let effect = opened.isEmpty ? "refuse users that it now lets in" : "let in users that it now refuses"
        throw refused(
            "\(change), \(names) would \(effect): a jump (success=N) in the service's file skips a fixed number of "
                + "lines of common-auth. Nothing was changed.", first, isOn)
    }

    /// - Parameter isOn: whether the profile was to be enabled. Changing only the service is an alternative then.
    private func refused(_ sentence: String, _ name: String, _ isOn: Bool) -> CommandFailure {
        let show = "pam show \(CommonOptions.quoted(name))"
        return .stacks(
            sentence,
            isOn
                ? Advice("Check the stack (\(options.line(show))), or change only \(program.text)", alone)
                : Advice("Check the stack", show))
    }

    /// The services that include the shared file.
    private var services: [String] {
        let machine = MachineStacks()
        return machine.services.filter { name in
            machine.reader.service(name).files.contains { $0.hasSuffix("/" + AuthUpdate.shared) }
        }
    }

    private func plan(_ lines: [String], _ verb: String, _ command: String) -> CommandOutcome {
        CommandOutcome(
            report: Report(
                lines + ["Nothing has been written yet. This would run: pam-auth-update \(verb) mpin"],
                ["service": .text(service), "changed": .flag(false)],
                next: Advice(verb == "--enable" ? "Apply it" : AuthUpdate.disablesAll, command)), isAnswer: true)
    }

    private func done(_ line: String, more: [String] = [], asks: Bool, next: Advice?) -> CommandOutcome {
        CommandOutcome(
            report: Report(
                [line] + more + ["Keep a root shell open until a login has worked in another window."],
                ["service": .text(service), "changed": .flag(true), "asks": .flag(asks)], next: next))
    }

    /// pam-auth-update does not change a file that was edited by hand, and reports no error.
    private func edited(_ verb: String) -> CommandFailure {
        .stacks(
            "pam-auth-update did not change /etc/pam.d/common-auth, because that file was edited by hand.",
            verb == "--enable"
                ? Advice("Change only \(program.text)", alone)
                : Advice("Remove its line with pam_mpin.so yourself. Show the line", show))
    }

    private func run(_ verb: String) throws(CommandFailure) {
        guard geteuid() == 0 else {
            throw CommandFailure(
                .notPermitted, "NOT_PERMITTED", "Only root may change PAM files.", advice: Advice.useSudo)
        }
        guard ChildProgram.succeeds([AuthUpdate.program, verb, "mpin"]) else { throw failed(verb) }
    }

    private func failed(_ verb: String) -> CommandFailure {
        .stacks(
            "pam-auth-update \(verb) mpin failed.",
            Advice("Run it to see the error: sudo pam-auth-update \(verb) mpin"))
    }
}

import Glibc
import PAMStack

/// Debian's pam-auth-update, which writes the lines that all services include.
struct AuthUpdate {
    let service: String
    let options: CommonOptions

    private static let program = "/usr/sbin/pam-auth-update"
    private static let profile = "/usr/share/pam-configs/mpin"
    private static let shared = "common-auth"

    /// Whether it can change what a service asks for.
    static func serves(_ stacks: ServiceStacks) -> Bool {
        unsafe access(program, X_OK) == 0 && MachineFile.load(profile) != nil
            && stacks.files.contains { $0.hasSuffix("/" + shared) } && stacks.file?.hasSuffix("/" + shared) == false
    }

    /// Whether the profile is in the shared file.
    static var isEnabled: Bool {
        let stacks = MachineStacks().reader.service(shared)
        return stacks.entries(.auth).contains {
            $0.moduleName == ModuleKnowledge.own && $0.place.file.hasSuffix("/" + shared)
        }
    }

    func enable(really: Bool, _ enrolled: Enrolled) throws(CommandFailure) -> CommandOutcome {
        try enrolled.require()
        let all = services
        let lines = [
            "\(service) includes common-auth, which pam-auth-update writes. M-Pin's profile there holds for all services "
                + "that include it: \(all.joined(separator: ", ")).",
            "To change \(service) alone: "
                + options.line("pam enable \(CommonOptions.quoted(service)) --only --really"),
        ]
        guard really else { return plan(lines, "--enable", "pam enable \(CommonOptions.quoted(service)) --really") }
        try run("--enable")
        let machine = MachineStacks()
        let stacks = machine.reader.service(service)
        guard !MachineStacks.own(stacks).isEmpty else { throw edited }
        guard machine.forecast(stacks).takesPINInsteadOfPassword else {
            try run("--disable")
            throw CommandFailure(
                .configuration, "CONFIGURATION",
                "With M-Pin's profile the PIN would not simply take the password's place in \(service), so it was switched "
                    + "off again.",
                advice: Advice("Look at the stack", "pam show \(CommonOptions.quoted(service))"))
        }
        return done(
            "These services ask for the PIN now: \(all.joined(separator: ", ")).",
            next: Advice("The way back", "pam disable \(CommonOptions.quoted(service)) --really"))
    }

    func disable(really: Bool) throws(CommandFailure) -> CommandOutcome {
        let all = services
        guard really else {
            return plan(
                [
                    "\(service) asks for the PIN by M-Pin's profile of pam-auth-update, which holds for all services that "
                        + "include common-auth: \(all.joined(separator: ", "))."
                ], "--disable", "pam disable \(CommonOptions.quoted(service)) --really")
        }
        try run("--disable")
        guard !AuthUpdate.isEnabled else { throw edited }
        return done("These services do not ask for the PIN any more: \(all.joined(separator: ", ")).", next: nil)
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
                lines + ["Nothing is written yet. What would be called: pam-auth-update \(verb) mpin"],
                ["service": .text(service), "changed": .flag(false)], next: Advice("To do it", command)),
            isAnswer: true)
    }

    private func done(_ line: String, next: Advice?) -> CommandOutcome {
        CommandOutcome(
            report: Report(
                [line, "Keep a root shell open until a login has worked in another window."],
                ["service": .text(service), "changed": .flag(true)], next: next))
    }

    /// It leaves a file alone that was changed by hand, and says nothing of it to programs.
    private var edited: CommandFailure {
        CommandFailure(
            .configuration, "CONFIGURATION",
            "pam-auth-update has left /etc/pam.d/common-auth as it is: it was edited by hand.",
            advice: Advice(
                "To change \(service) alone", "pam enable \(CommonOptions.quoted(service)) --only --really"))
    }

    private func run(_ verb: String) throws(CommandFailure) {
        guard geteuid() == 0 else {
            throw CommandFailure(
                .notPermitted, "NOT_PERMITTED", "Only root may change logins.", advice: Advice.useSudo)
        }
        guard let status = ChildProgram.run([AuthUpdate.program, verb, "mpin"]), status == 0 else {
            throw CommandFailure(
                .configuration, "CONFIGURATION", "pam-auth-update \(verb) mpin has failed.",
                advice: Advice("Call it yourself and see what it says: sudo pam-auth-update"))
        }
    }
}

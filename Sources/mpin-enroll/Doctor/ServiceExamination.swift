// SPDX-License-Identifier: Apache-2.0
import Console
import MPinConfiguration
import MPinPAM
import MPinWire
import PAMStack

/// Checks one service that asks for the PIN.
struct ServiceExamination {
    let stacks: ServiceStacks
    /// The lines with M-Pin's module.
    let own: [StackEntry]
    let forecast: StackForecast

    init(stacks: ServiceStacks, own: [StackEntry], forecast: StackForecast) {
        (self.stacks, self.own, self.forecast) = (stacks, own, forecast)
    }

    init(_ machine: MachineStacks, _ service: String) {
        let stacks = machine.reader.service(service)
        self.init(stacks: stacks, own: MachineStacks.own(stacks), forecast: machine.forecast(stacks))
    }

    private func verdict(_ pin: LoginCase.PINState, password: Bool) -> StackForecast.Verdict {
        forecast.verdict(of: LoginCase(pin, isPasswordRight: password))
    }

    private var show: Advice { Advice("Check how logins will end", "pam show \(CommonOptions.quoted(stacks.name))") }

    private func finding(_ grade: Finding.Grade, _ sentence: String, _ advice: Advice? = nil) -> Finding {
        Finding("stacks", grade, sentence, advice: advice ?? show)
    }

    /// The services that give rights or start a session, and must always check who the user is.
    private static let guarding: Set<String> = [
        "sudo", "sudo-i", "su", "su-l", "doas", "login", "sshd", "polkit-1", "chsh", "chfn", "passwd",
    ]

    /// The fault of a service that accepts users who know neither PIN nor password.
    ///
    /// This is intended if the service's own file asks for it, as for an automatic login, and the service does not ask for
    /// the PIN. It is never intended for one of ``guarding``.
    var opening: Finding? {
        let isMeant =
            own.isEmpty && !ServiceExamination.guarding.contains(stacks.name)
            && stacks.entries(.auth).allSatisfy { $0.place.file == stacks.file }
        let isOpen = LoginCase.PINState.allCases.contains { $0 != .right && verdict($0, password: false) == .letsIn }
        guard isOpen, !isMeant else { return nil }
        let remedy = AuthUpdate.isEmpty(stacks) ? Advice("Turn on the password: \(AuthUpdate.way)") : nil
        return finding(.fault, "\(stacks.name) lets users in without a password.", remedy)
    }

    /// Faults that refuse users who should get in.
    var faults: [Finding] {
        let arguments = own.compactMap(argumentFault)
        return arguments.isEmpty ? [stackFault].compactMap { $0 } : arguments
    }

    private var stackFault: Finding? {
        let name = stacks.name
        if stacks.isBroken {
            let reasons = stacks.faults.map { " " + $0.sentence }.joined()
            return finding(.fault, "PAM cannot read the files of \(name), so it refuses every login.\(reasons)")
        }
        if isPassedOver, verdict(.wrong, password: true) == .refuses {
            return finding(
                .fault,
                "No user can log in through \(name): it requires a PIN, but M-Pin asks for none over the network.",
                Advice("Remove \(place), or set method. See: man mpin.conf"))
        }
        if forecast.isClosed {
            return finding(.fault, "No user can log in through \(name), with or without the right PIN.")
        }
        if verdict(.right, password: false) == .refuses, verdict(.wrong, password: true) == .letsIn {
            return finding(
                .fault, "\(name) asks for the PIN but ignores the result: the password alone decides.",
                Advice("To require both, write [success=ok default=die] before pam_mpin.so in \(place)"))
        }
        return nil
    }

    private var place: String { own.first.map { "\($0.place.file) line \($0.place.line)" } ?? stacks.name }

    private func argumentFault(_ entry: StackEntry) -> Finding? {
        guard case .module(_, let arguments) = entry.step,
            let obstacle = MachineStacks.obstacle(arguments, onlyArguments: true)
        else { return nil }
        // If the arguments are valid, the obstacle is a reserved method, and its sentence states the consequence.
        let isReserved = if case .success = MachineStacks.configuration(arguments) { true } else { false }
        let consequence = isReserved ? "" : ", so pam_mpin.so refuses every PIN there"
        return finding(
            .fault, "\(entry.place.file) line \(entry.place.line): \(obstacle)\(consequence).",
            Advice("See: man pam_mpin"))
    }

    /// Settings that may be intended, but have a risk.
    var warnings: [Finding] { [necessary, pastTheLock, remote, twice, askedAgain].compactMap { $0 } }

    /// A prompt for PIN or password above a module that does not use that password.
    private var askedAgain: Finding? {
        guard configurations.contains(where: \.forwardsPassword), !stacks.takesPassword else { return nil }
        return finding(
            .warning, "\(stacks.name) asks for the password twice: its module ignores the one typed at the PIN prompt.",
            Advice("Add try_first_pass to the line of that module, or remove forward_pass from \(place)"))
    }

    /// A line in the service's own file in addition to the shared one.
    private var twice: Finding? {
        let lines = OwnLines(stacks)
        return lines.isDouble ? finding(.warning, lines.sentence, lines.remedy) : nil
    }

    /// The consequences of a required PIN if the server is unreachable or the user is not enrolled.
    private var necessary: Finding? {
        guard verdict(.wrong, password: true) == .refuses else { return nil }
        let isOpen = forecast.results(of: LoginCase(.unreachable, isPasswordRight: true)).contains(.success)
        let sentence =
            isOpen
            ? "skips the PIN while the server is unreachable, so an attacker who cuts the connection needs none."
            : "refuses every login while the server is unreachable, and always refuses users who are not enrolled."
        return finding(
            .warning, (["\(stacks.name) \(sentence)", exception].compactMap { $0 }).joined(separator: " "),
            isOpen
                ? Advice("Remove authinfo_unavail=ignore from \(place)")
                : Advice("To let the password decide in these cases, see: man pam_mpin"))
    }

    /// The logins for which the service takes no PIN regardless of its stack, and how they end.
    ///
    /// A set-uid program takes no PIN if a user other than root starts it for another user's account.
    var exception: String? {
        let isNeeded = verdict(.wrong, password: true) == .refuses
        let name = stacks.name
        var logins: [String] = []
        if isPassedOver { logins.append("over the network") }
        if isPassedOverSSH { logins.append("over ssh") }
        switch name {
        case "su", "su-l": logins.append("for another user's account unless root runs \(name)")
        case "polkit-1": logins.append("for another administrator's account")
        // sudo asks for the caller's own account unless sudoers changes that. It matters only if it locks users out.
        case "sudo" where isNeeded, "sudo-i" where isNeeded:
            logins.append("for another user's account (targetpw, rootpw or runaspw of sudoers)")
        default: break
        }
        guard !logins.isEmpty else { return nil }
        let list = logins.joined(separator: ", or ")
        return "\(name) takes no PIN \(list): \(isNeeded ? "it refuses the login" : "the password decides")."
    }

    /// What the service does in the session of this process, if it takes no PIN there.
    var inThisSession: [String] {
        guard isPassedOverSSH, let configuration = configurations.first else { return [] }
        let isNeeded = verdict(.wrong, password: true) == .refuses
        return SessionExamination(configuration).lines(
            stacks.name, isNeeded ? "refuses the login" : "asks for the password")
    }

    /// The risk of a service that accepts a PIN alone over the network, for an administrator who is about to allow that.
    var networkRisk: [String] {
        guard remote != nil else { return [] }
        return [
            "Warning: over the network, the PIN is the only factor: the token is on this machine.",
            "Anyone who reaches \(stacks.name) can block a user with three wrong PINs.",
        ]
    }

    /// M-Pin's line ends the stack above the line that refuses locked accounts.
    var pastTheLock: Finding? {
        let entries = stacks.entries(.auth)
        guard forecast.takesPINInsteadOfPassword,
            let first = entries.firstIndex(where: { $0.moduleName == ModuleKnowledge.own }),
            let lock = entries.firstIndex(where: { $0.moduleName == "pam_faillock.so" }), lock > first
        else { return nil }
        return finding(
            .warning, "Accounts locked by pam_faillock can still log in through \(stacks.name) with the PIN.",
            Advice("To refuse them, move \(place) below 'pam_faillock.so preauth'"))
    }

    private var configurations: [Configuration] {
        own.compactMap { entry in
            guard case .module(_, let arguments) = entry.step,
                case .success(let configuration) = MachineStacks.configuration(arguments)
            else { return nil }
            return configuration
        }
    }

    /// Services whose users log in over the network.
    private static let network: Set<String> = [
        "sshd", "ssh", "xrdp-sesman", "vnc", "vncserver", "tigervnc", "cockpit", "remote", "rlogin", "rsh", "rexec",
        "ftp", "vsftpd", "proftpd", "pure-ftpd", "dovecot", "imap", "pop", "pop3", "smtp", "smtpd", "openvpn", "ocserv",
    ]

    /// The first valid configuration, if users of the service log in over the network.
    private var remoteConfiguration: Configuration? {
        ServiceExamination.network.contains(stacks.name) ? configurations.first : nil
    }

    /// Whether the module asks for no PIN, because the token is on the machine that the user logs in to.
    var isPassedOver: Bool { remoteConfiguration.map { !$0.acceptsRemotePIN } ?? false }

    /// Whether the module asks for no PIN in a session that came over ssh.
    private var isPassedOverSSH: Bool {
        guard let configuration = configurations.first, MethodRule.isSwitch(ByteText([UInt8](stacks.name.utf8))) else {
            return false
        }
        return !configuration.acceptsRemotePIN && !configuration.acceptsRemoteSwitch
    }

    /// Whether its programs run as their user and cannot use the agent.
    var lacksAgent: Bool {
        configurations.first.map { AgentExamination($0, services: [stacks.name]).isMissed } ?? false
    }

    private var remote: Finding? {
        guard remoteConfiguration?.acceptsRemotePIN == true, forecast.takesPINInsteadOfPassword else { return nil }
        return finding(
            .warning, "\(stacks.name) accepts a PIN alone over the network, where it is the only factor.",
            Advice("Require a public key or the password in addition to the PIN. See: man pam_mpin"))
    }
}

import MPinConfiguration
import PAMStack

/// One service that asks for the PIN.
struct ServiceExamination {
    let stacks: ServiceStacks
    /// The lines of M-Pin's.
    let own: [StackEntry]
    let forecast: StackForecast

    private func verdict(_ pin: LoginCase.PINState, password: Bool) -> StackForecast.Verdict {
        forecast.verdict(of: LoginCase(pin, isPasswordRight: password))
    }

    private var show: Advice {
        Advice("What becomes of logins says", "pam show \(CommonOptions.quoted(stacks.name))")
    }

    private func finding(_ grade: Finding.Grade, _ sentence: String, _ advice: Advice? = nil) -> Finding {
        Finding("stacks", grade, sentence, advice: advice ?? show)
    }

    /// What keeps people out who should get in, or lets others in.
    var faults: [Finding] {
        let arguments = own.compactMap(argumentFault)
        if !arguments.isEmpty { return arguments }
        if stacks.isBroken {
            let reasons = stacks.faults.map { " " + $0.sentence }.joined()
            return [
                finding(.fault, "PAM cannot read the files of \(stacks.name), and refuses everybody there.\(reasons)")
            ]
        }
        if isPassedOver, verdict(.wrong, password: true) == .refuses {
            return [
                finding(
                    .fault,
                    "Nobody gets in through \(stacks.name): M-Pin asks for no PIN over the network, and is needed there.",
                    Advice("Take the line out of \(place), or see method in mpin.conf(5)"))
            ]
        }
        if forecast.isClosed {
            return [finding(.fault, "Nobody can log in through \(stacks.name), with or without the right PIN.")]
        }
        let isOpen = LoginCase.PINState.allCases.contains { $0 != .right && verdict($0, password: false) == .letsIn }
        if isOpen {
            return [finding(.fault, "\(stacks.name) lets people in who know neither the PIN nor the password.")]
        }
        if verdict(.right, password: false) == .refuses, verdict(.wrong, password: true) == .letsIn {
            return [
                finding(
                    .fault, "\(stacks.name) asks for the PIN and makes nothing of it: the password alone decides.",
                    Advice("Whoever wants both writes [success=ok default=die] before pam_mpin.so, in \(place)"))
            ]
        }
        return []
    }

    private var place: String { own.first.map { "\($0.place.file) line \($0.place.line)" } ?? stacks.name }

    private func argumentFault(_ entry: StackEntry) -> Finding? {
        guard case .module(_, let arguments) = entry.step, let fault = MachineStacks.argumentFault(arguments) else {
            return nil
        }
        return finding(
            .fault,
            "\(entry.place.file) line \(entry.place.line): \(fault.message), so pam_mpin.so refuses every PIN there.",
            Advice("What may stand there says: man pam_mpin"))
    }

    /// What may be meant, and has a price.
    var warnings: [Finding] {
        [withoutServer, withoutFallback, pastTheLock, remote, twice].compactMap { $0 }
    }

    /// A line of the service's own beside the one that all services include.
    private var twice: Finding? {
        let lines = OwnLines(stacks)
        return lines.isDouble ? finding(.warning, lines.sentence, lines.remedy) : nil
    }

    private var withoutServer: Finding? {
        let unreachable = forecast.results(of: LoginCase(.unreachable, isPasswordRight: true))
        guard verdict(.wrong, password: true) == .refuses, unreachable.contains(.success) else { return nil }
        return finding(
            .warning,
            "\(stacks.name) goes on without the PIN while the server is away, and whoever cuts the way to it needs none.",
            Advice("Take authinfo_unavail=ignore out of \(place)"))
    }

    private var withoutFallback: Finding? {
        guard verdict(.unreachable, password: true) == .refuses else { return nil }
        return finding(
            .warning,
            "\(stacks.name) refuses everybody while the server is away, and always those who are not enrolled.",
            Advice("If that is not meant: pam_mpin(8) has the line with which the password goes on deciding"))
    }

    /// M-Pin's line above the one that looks for locked accounts, and it ends the stack.
    private var pastTheLock: Finding? {
        let entries = stacks.entries(.auth)
        guard forecast.takesPINInsteadOfPassword,
            let first = entries.firstIndex(where: { $0.moduleName == ModuleKnowledge.own }),
            let lock = entries.firstIndex(where: { $0.moduleName == "pam_faillock.so" }), lock > first
        else { return nil }
        return finding(
            .warning, "Accounts that pam_faillock has locked still get in through \(stacks.name) with the PIN.",
            Advice("If that is not meant, put the line of \(place) below 'pam_faillock.so preauth'"))
    }

    /// The configuration of the line, where the service's people come over the network.
    private var remoteConfiguration: Configuration? {
        guard case .module(_, let arguments)? = own.first?.step,
            case .success(let configuration) = MachineStacks.configuration(arguments),
            configuration.remoteServices.contains(stacks.name)
        else { return nil }
        return configuration
    }

    /// Whether the module asks for nothing there, because the token lies on the machine that is entered.
    var isPassedOver: Bool { remoteConfiguration.map { $0.method == nil } ?? false }

    /// Whether its programs run as their users, and nobody is there whom they could ask.
    var lacksAgent: Bool {
        guard case .module(_, let arguments)? = own.first?.step,
            case .success(let configuration) = MachineStacks.configuration(arguments)
        else { return false }
        return AgentExamination(configuration, services: [stacks.name]).isMissed
    }

    private var remote: Finding? {
        guard remoteConfiguration?.method == .pin, forecast.takesPINInsteadOfPassword else { return nil }
        return finding(
            .warning, "In \(stacks.name) a PIN alone lets people in over the network, where it is the only factor.",
            Advice("Ask for a public key before it, or for the password too"))
    }
}

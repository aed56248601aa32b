internal import MPin
internal import MPinConfiguration
package import MPinWire

/// The module, as one host uses it for one call.
///
/// Everything it decides comes from four things: what the host and the system say about the call, the configuration,
/// the registration on this machine, and the answer of the person. The order of a call is fixed: configuration, place
/// and method, registration, prompt, requests, verdict, one line in the log.
package struct Module<H: Host, S: System> {
    package var host: H
    let system: S
    let arguments: [ByteText]

    package init(host: H, system: S, arguments: [ByteText]) {
        self.host = host
        self.system = system
        self.arguments = arguments
    }

    /// The delay that is asked for after each failure alike.
    static var failureDelay: UInt32 { 2_000_000 }

    /// How long a person takes at least to type a PIN, in milliseconds.
    static var fastestPerson: Int64 { 250 }

    /// How long a refused call over the network lasts at least after its answer, so that accounts cannot be told apart
    /// by time: longer than a login with a server at hand takes.
    static var remoteFloor: Int64 { 1000 }

    /// Begins a call of an entry point with what the host program and the system report.
    mutating func begin(_ phase: Constant) -> ModuleCall? {
        // The name comes first whatever follows: some hosts rely on the module having asked for it.
        guard let account = host.userName() else { return nil }
        let call = ModuleCall(account: account, started: host.milliseconds())
        call.service = host.item(.service) ?? ByteText()
        call.remoteHost = host.item(.remoteHost)
        call.caller = host.caller(about: account)
        call.line.phase = phase
        // What was typed for a name may be a password.
        call.line.user = call.caller.accountName ?? "?"
        call.line.service = call.service
        call.line.remoteHost = call.remoteHost ?? ByteText()
        call.line.correlation = host.correlation()
        return call
    }

    /// Loads the configuration.
    ///
    /// - Returns: the outcome of the call when that fails.
    func loadConfiguration(for call: ModuleCall) -> LoginOutcome? {
        do throws(ConfigurationFault) {
            call.configuration = try system.configuration(arguments: arguments)
            return nil
        } catch {
            return error.isShortage ? .storeUnusable(error.text) : .misconfigured(error.text)
        }
    }

    /// Ends the call: writes the log line, shows the message, returns the code.
    @inline(never)
    mutating func end(_ call: ModuleCall, _ outcome: LoginOutcome, _ verdict: ModuleVerdict) -> ReturnCode {
        let verdict = Self.bounded(verdict, outcome, call)
        // Where the PIN is never used there is nothing to guess, and the stack goes on at once.
        if verdict.code != .success && verdict.code != .ignore && !call.caller.isAnotherUser {
            host.requestDelay(microseconds: Self.failureDelay)
        }
        // First the log: the person who reads the message may end the program.
        writeLine(call, outcome, verdict)
        if let text = call.notice.map(Message.advised) ?? verdict.message?.text, !host.isSilent {
            host.tell(call.line.prefix + text, isError: verdict.code != .success)
        }
        return verdict.code
    }

    /// Writes the line of one attempt to the log.
    mutating func writeLine(_ call: ModuleCall, _ outcome: LoginOutcome, _ verdict: ModuleVerdict) {
        let row = outcome.row()
        call.line.result = row.word
        call.line.code = verdict.code
        call.line.left = row.left
        call.line.milliseconds = host.milliseconds() - call.started
        call.line.reason = row.reason ?? call.notice ?? call.sentence?.text ?? ByteText()
        host.log(call.line.text, verdict.code.level)
    }

    /// Unavailable is said of the server alone, for stacks may go on without it. The user who started a set-uid program
    /// can keep it from reaching any server, and root can always read the store.
    private static func bounded(_ verdict: ModuleVerdict, _ outcome: LoginOutcome, _ call: ModuleCall)
        -> ModuleVerdict
    {
        guard verdict.code == .authInfoUnavailable else { return verdict }
        if call.caller.controlsProcess {
            return call.configuration.reportsUnavailableInSetUID
                ? verdict : ModuleVerdict(.authError, verdict.message)
        }
        if case .storeClosed = outcome, call.caller.realUID == 0 { return ModuleVerdict(.systemError) }
        return verdict
    }

    /// Says in the log what was found, where the administrator asked for that.
    mutating func explain(_ call: ModuleCall, _ text: Constant) {
        guard call.configuration.debug else { return }
        var line = text.text
        line.append(" locality=")
        line.append(call.locality.name)
        line.append(" caller=")
        line.append(contentsOf: call.trust.name.text)
        line.append(" method=")
        if let method = call.line.method { line.append(method.name) }
        host.log(line, .debug)
    }
}

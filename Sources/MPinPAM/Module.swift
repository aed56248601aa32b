internal import MPin
package import MPinWire

/// The module, as one host uses it for one call.
///
/// Everything it decides comes from four things: what the host and the system say about the call, the configuration, the
/// registration on this machine, and the answer of the person. The order of a call is fixed: configuration, place and
/// method, registration, question, traffic, verdict, one line in the log.
package struct Module<H: Host, M: Machine> {
    package var host: H
    let machine: M
    let arguments: [ByteText]

    package init(host: H, machine: M, arguments: [ByteText]) {
        self.host = host
        self.machine = machine
        self.arguments = arguments
    }

    /// The delay that is asked for after each failure alike.
    static var failureDelay: UInt32 { 2_000_000 }

    /// How long a refused call over the network lasts at least after its answer, so that accounts cannot be told apart
    /// by time: longer than a login with a server at hand takes.
    static var remoteFloor: Int64 { 1000 }

    /// What the host and the system say about this call.
    mutating func begin(_ phase: Constant) -> Call? {
        // The name comes first whatever follows: some hosts rely on the module having asked for it.
        guard let account = host.userName() else { return nil }
        let call = Call(account: account, started: host.milliseconds())
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

    /// The configuration, or the outcome of having none.
    func settle(_ call: Call) -> Outcome? {
        do throws(ConfigurationFault) {
            call.configuration = try machine.configuration(arguments: arguments)
            return nil
        } catch {
            return error.isShortage ? .storeUnusable(error.text) : .misconfigured(error.text)
        }
    }

    /// Tells host, person and log how the call ended.
    @inline(never)
    mutating func end(_ call: Call, _ outcome: Outcome, _ verdict: Verdict) -> ReturnCode {
        let verdict = Self.bounded(verdict, outcome, call)
        if verdict.code != .success && verdict.code != .ignore { host.requestDelay(microseconds: Self.failureDelay) }
        // First the log: whoever reads the message may end the program.
        writeLine(call, outcome, verdict)
        if let text = call.notice.map(Message.advised) ?? verdict.message?.text, !host.isSilent {
            host.tell(text, isError: verdict.code != .success)
        }
        return verdict.code
    }

    /// Writes the line of one attempt to the log.
    mutating func writeLine(_ call: Call, _ outcome: Outcome, _ verdict: Verdict) {
        call.line.result = outcome.name
        call.line.code = verdict.code
        call.line.left = outcome.attemptsLeft
        call.line.milliseconds = host.milliseconds() - call.started
        call.line.reason = outcome.reason ?? call.notice ?? call.sentence?.text ?? ByteText()
        host.log(call.line.text, verdict.level)
    }

    /// Unavailable is said of the server alone, for stacks may go on without it. Whoever started a set-uid program can
    /// keep it from reaching any server, and root can always read the store.
    private static func bounded(_ verdict: Verdict, _ outcome: Outcome, _ call: Call) -> Verdict {
        guard verdict.code == .authInfoUnavailable else { return verdict }
        if call.isOpenToStrangers {
            return call.configuration.reportsUnavailableInSetUID ? verdict : Verdict(.authError, verdict.message)
        }
        if case .storeClosed = outcome, call.caller.realUID == 0 { return Verdict(.systemError) }
        return verdict
    }

    /// Says in the log what was found, where the administrator asked for that.
    mutating func explain(_ call: Call, _ text: Constant) {
        guard call.configuration.debug else { return }
        var line = text.text
        line.append(" locality=")
        line.append(call.locality.name)
        line.append(" standing=")
        line.append(contentsOf: call.standing.name.text)
        line.append(" method=")
        if let method = call.line.method { line.append(method.name) }
        host.log(line, .debug)
    }
}

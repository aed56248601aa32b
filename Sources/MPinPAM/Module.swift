internal import MPin
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

    /// How long a refused call over the network lasts at least after its answer, so that accounts cannot be told apart
    /// by time: longer than a login with a server at hand takes.
    static var remoteFloor: Int64 { 1000 }

    /// Begins a transaction with what the host program and the system report.
    mutating func begin(_ phase: Constant) -> Transaction? {
        // The name comes first whatever follows: some hosts rely on the module having asked for it.
        guard let account = host.userName() else { return nil }
        let transaction = Transaction(account: account, started: host.milliseconds())
        transaction.service = host.item(.service) ?? ByteText()
        transaction.remoteHost = host.item(.remoteHost)
        transaction.caller = host.caller(about: account)
        transaction.line.phase = phase
        // What was typed for a name may be a password.
        transaction.line.user = transaction.caller.accountName ?? "?"
        transaction.line.service = transaction.service
        transaction.line.remoteHost = transaction.remoteHost ?? ByteText()
        transaction.line.correlation = host.correlation()
        return transaction
    }

    /// Loads the configuration.
    ///
    /// - Returns: the outcome of the transaction when that fails.
    func settle(_ transaction: Transaction) -> LoginOutcome? {
        do throws(ConfigurationFault) {
            transaction.configuration = try system.configuration(arguments: arguments)
            return nil
        } catch {
            return error.isShortage ? .storeUnusable(error.text) : .misconfigured(error.text)
        }
    }

    /// Ends the transaction: writes the log line, shows the message, returns the code.
    @inline(never)
    mutating func end(_ transaction: Transaction, _ outcome: LoginOutcome, _ verdict: ModuleVerdict) -> ReturnCode {
        let verdict = Self.bounded(verdict, outcome, transaction)
        if verdict.code != .success && verdict.code != .ignore { host.requestDelay(microseconds: Self.failureDelay) }
        // First the log: the person who reads the message may end the program.
        writeLine(transaction, outcome, verdict)
        if let text = transaction.notice.map(Message.advised) ?? verdict.message?.text, !host.isSilent {
            host.tell(text, isError: verdict.code != .success)
        }
        return verdict.code
    }

    /// Writes the line of one attempt to the log.
    mutating func writeLine(_ transaction: Transaction, _ outcome: LoginOutcome, _ verdict: ModuleVerdict) {
        let row = outcome.row()
        transaction.line.result = row.word
        transaction.line.code = verdict.code
        transaction.line.left = row.left
        transaction.line.milliseconds = host.milliseconds() - transaction.started
        transaction.line.reason = row.reason ?? transaction.notice ?? transaction.sentence?.text ?? ByteText()
        host.log(transaction.line.text, verdict.code.level)
    }

    /// Unavailable is said of the server alone, for stacks may go on without it. The user who started a set-uid program
    /// can keep it from reaching any server, and root can always read the store.
    private static func bounded(_ verdict: ModuleVerdict, _ outcome: LoginOutcome, _ transaction: Transaction)
        -> ModuleVerdict
    {
        guard verdict.code == .authInfoUnavailable else { return verdict }
        if transaction.isOpenToStrangers {
            return transaction.configuration.reportsUnavailableInSetUID
                ? verdict : ModuleVerdict(.authError, verdict.message)
        }
        if case .storeClosed = outcome, transaction.caller.realUID == 0 { return ModuleVerdict(.systemError) }
        return verdict
    }

    /// Says in the log what was found, where the administrator asked for that.
    mutating func explain(_ transaction: Transaction, _ text: Constant) {
        guard transaction.configuration.debug else { return }
        var line = text.text
        line.append(" locality=")
        line.append(transaction.locality.name)
        line.append(" standing=")
        line.append(contentsOf: transaction.trust.name.text)
        line.append(" method=")
        if let method = transaction.line.method { line.append(method.name) }
        host.log(line, .debug)
    }
}

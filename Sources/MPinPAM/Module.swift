// SPDX-License-Identifier: Apache-2.0
internal import MPin
internal import MPinConfiguration
package import MPinWire

/// The module, as one host uses it for one call.
///
/// Its decisions depend on four things: the facts that the host and the system report about the call, the
/// configuration, the registration on this machine, and the user's answer. The order of a call is fixed: configuration,
/// place and method, registration, prompt, requests, verdict, one line in the log.
package struct Module<H: Host, S: System> {
    package var host: H
    let system: S
    let arguments: [ByteText]

    package init(host: H, system: S, arguments: [ByteText]) {
        (self.host, self.system, self.arguments) = (host, system, arguments)
    }

    /// The delay requested after every kind of failure, in microseconds.
    static var failureDelay: UInt32 { 2_000_000 }

    /// The shortest time in which a person types a PIN, in milliseconds.
    static var fastestPerson: Int64 { 250 }

    /// The shortest time between the answer and the end of a refused remote call, in milliseconds. It is longer than a
    /// login at a nearby server takes, so that timing does not reveal which accounts exist.
    static var remoteFloor: Int64 { 1000 }

    /// Begins a call of an entry point with the facts that the host program and the system report.
    mutating func begin(_ phase: Constant) -> ModuleCall? {
        // The name is requested first in any case: some hosts rely on the module asking for it.
        guard let account = host.userName() else { return nil }
        let call = ModuleCall(account: account, caller: host.caller(about: account), started: host.milliseconds())
        call.service = host.service()
        call.remoteHost = host.remoteHost()
        call.line.phase = phase
        // A text typed as a name may be a password.
        call.line.user = call.caller.accountName ?? "?"
        call.line.service = call.service
        call.line.remoteHost = call.remoteHost ?? ByteText()
        call.line.correlation = host.correlation()
        return call
    }

    /// - Returns: the outcome of the call when that fails.
    func loadConfiguration(for call: ModuleCall) -> LoginOutcome? {
        do throws(ConfigurationError) {
            call.configuration = try system.configuration(arguments: arguments)
            return nil
        } catch { return error.kind == .shortage ? .storeUnusable(error.text) : .misconfigured(error.text) }
    }

    /// Ends the call: writes the log line, shows the message, returns the code.
    @inline(never)
    mutating func end(_ call: ModuleCall, _ outcome: LoginOutcome, _ verdict: ModuleVerdict) -> ReturnCode {
        let verdict = Self.bounded(verdict, outcome, call)
        // If the PIN is never used, there is nothing to guess, and the stack continues at once.
        if verdict.code != .success && verdict.code != .ignore && !call.caller.isAnotherUser {
            host.requestDelay(microseconds: Self.failureDelay)
        }
        // The log comes first: the user who reads the message may end the program. journald lets the user who started a
        // set-uid program read its lines, which would show whether the other user's account is enrolled.
        if !call.caller.isAnotherUser { writeLine(call, outcome, verdict) }
        if let notice = call.notice {
            tell(Message.advised(notice), call, isError: verdict.code != .success)
        } else if let message = verdict.message, isNew(message, call) {
            tell(call.line.prefix + message.text, call, isError: verdict.code != .success)
        }
        return verdict.code
    }

    /// Whether a message is not the failure that this PAM handle has shown last.
    private mutating func isNew(_ message: Message, _ call: ModuleCall) -> Bool {
        var handle = HandleAttempts(memory: host.memory(of: call.accountName))
        let isNew = handle.show(call.isPeerRefused ? nil : message.failure)
        host.setMemory(handle.memory, of: call.accountName)
        return isNew
    }

    /// Shows a message, unless the host wants none. sudo asks for silence but shows errors.
    mutating func tell(_ text: ByteText, _ call: ModuleCall, isError: Bool = true) {
        let isSudo = call.trust == .known && ServiceList.sudo.contains(call.service)
        if !host.isSilent || isSudo { host.tell(text, isError: isError || host.isSilent) }
    }

    mutating func writeLine(_ call: ModuleCall, _ outcome: LoginOutcome, _ verdict: ModuleVerdict) {
        let row = outcome.row()
        call.line.result = row.word
        call.line.code = verdict.code
        call.line.left = row.left
        call.line.milliseconds = host.milliseconds() - call.started
        call.line.reason = row.reason ?? call.notice ?? call.sentence?.text ?? ByteText()
        host.log(call.line.text, verdict.code.level)
    }

    /// Reserves PAM_AUTHINFO_UNAVAIL for failures of the server, because stacks may continue without one. The user who
    /// started a set-uid program can keep it from reaching any server, and root can always read the store.
    private static func bounded(_ verdict: ModuleVerdict, _ outcome: LoginOutcome, _ call: ModuleCall) -> ModuleVerdict
    {
        guard verdict.code == .authInfoUnavailable else { return verdict }
        if call.caller.controlsProcess {
            return call.configuration.reportsUnavailableInSetUID ? verdict : ModuleVerdict(.authError, verdict.message)
        }
        if case .storeClosed = outcome, call.caller.realUID == 0 { return ModuleVerdict(.systemError) }
        return verdict
    }

    /// Logs the facts that were found, if the administrator asked for that.
    mutating func explain(_ call: ModuleCall, _ text: Constant) {
        guard call.configuration.debug else { return }
        var line = text.text
        line.append(" locality=")
        line.append(contentsOf: call.locality.name.text)
        line.append(" caller=")
        line.append(contentsOf: call.trust.rawValue.text)
        line.append(" method=")
        if call.line.usesPIN { line.append("pin") }
        host.log(line, .debug)
    }
}

/// The state of one call of one of the module's entry points.
///
/// It is a class because it is passed through all steps of the call and expensive to copy.
final class ModuleCall {
    /// The account that is to log in, as the host names it.
    let account: ByteText
    var service = ByteText()
    var remoteHost: ByteText?
    let caller: Caller
    private var loaded = Configuration()
    var wasAsked = false
    /// Whether the prompt also takes the password, for the next modules.
    var takesPassword = false
    /// When the work began: at the user's answer, once there is one.
    var started: Int64
    var sentence: Constant?
    /// Whether the server's certificate or the account of its socket was refused. That is shown each time: an attacker
    /// could otherwise hide it by causing an outage first.
    var isPeerRefused = false
    /// The message for a user who has logged in, including one who was a stranger before.
    var notice: ByteText?
    var line = LogLine()

    init(account: ByteText, caller: Caller, started: Int64) {
        self.account = account
        self.caller = caller
        self.started = started
    }

    /// The configuration, once it is loaded. The getter is not inlined, because code that retains the value in each
    /// place would be longer than a call.
    var configuration: Configuration {
        @inline(never) get { loaded }
        set { loaded = newValue }
    }

    @inline(never)
    var hasRemoteHost: Bool { Locality.isRemote(host: remoteHost, caller) }

    /// Whether the account database has the account under exactly the name that the host gave. A database that ignores
    /// case, or adds domains, has accounts under names without a registration.
    var isNamedExactly: Bool { caller.accountName == account }

    /// The account's own name; the host's name for it if there is no such account.
    @inline(never)
    var accountName: ByteText { caller.accountName ?? account }

    @inline(never)
    var trust: CallerTrust { CallerTrust(caller, service: service, isRemoteHost: hasRemoteHost) }

    @inline(never)
    var locality: Locality {
        Locality(service: service, remoteHost: remoteHost, caller: caller, configuration: configuration)
    }
}

/// The one line that an attempt writes to the system's log.
///
/// It never contains a secret, and untrusted text is sanitized so that it cannot forge a line.
struct LogLine {
    var phase: Constant = "auth"
    var user = ByteText()
    var service = ByteText()
    var remoteHost = ByteText()
    var result: Constant = ""
    var code: ReturnCode = .systemError
    var left: Int?
    var usesPIN = false
    var milliseconds: Int64 = 0
    var correlation: UInt32 = 0
    /// The text before each sentence about a failure.
    var prefix = ByteText()
    var reason = ByteText()

    var text: ByteText {
        var line: ByteText = "user="
        LogLine.append(user, to: &line)
        line.append(" service=")
        LogLine.append(service, to: &line)
        line.append(" rhost=")
        LogLine.append(remoteHost, to: &line)
        line.append(" result=")
        line.append(contentsOf: result.text)
        line.append(" left=")
        if let left { line.append(decimal: left) }
        line.append(" method=")
        if usesPIN { line.append("pin") }
        line.append(" ms=")
        line.append(decimal: Int(milliseconds))
        line.append(" id=")
        appendCorrelation(to: &line)
        line.append(" phase=")
        line.append(contentsOf: phase.text)
        line.append(" code=")
        line.append(contentsOf: code.name.text)
        if !reason.isEmpty {
            line.append(" reason=\"")
            LogLine.append(quoted: prefix, to: &line)
            LogLine.append(quoted: reason, to: &line)
            line.append("\"")
        }
        return line
    }

    /// Eight hexadecimal digits.
    private func appendCorrelation(to line: inout ByteText) {
        for index in 0..<8 {
            let digit = UInt8(truncatingIfNeeded: correlation >> UInt32(28 - 4 * index)) & 15
            line.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    /// Appends a value that ends at the next space: spaces, quotes and equals signs inside would begin another field.
    @inline(never)
    private static func append(_ value: ByteText, to line: inout ByteText) {
        for byte in VisibleText.sanitized(value, limit: 128).bytes {
            let endsValue = byte == 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "=")
            line.append(endsValue ? UInt8(ascii: "?") : byte)
        }
    }

    @inline(never)
    private static func append(quoted text: ByteText, to line: inout ByteText) {
        for byte in VisibleText.sanitized(text, limit: 256).bytes {
            line.append(byte == UInt8(ascii: "\"") ? UInt8(ascii: "'") : byte)
        }
    }
}

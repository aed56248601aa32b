// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinConfiguration
import SystemFiles

/// Why a command failed: the exit status, what happened, and what to do about it.
struct CommandFailure: Error {
    let exitStatus: ExitStatus
    /// The name of the status, for programs.
    let code: String
    let message: String
    let advice: Advice?
    let attemptsLeft: Int?
    /// Further sentences about what happened, a line each.
    private(set) var details: [String] = []
    /// The address of a server whose socket is served by an untrusted account.
    private(set) var foreign: String?

    /// Whether another program holds the lock of the store.
    private(set) var isBusy = false

    /// Whether another invitation code may succeed.
    private(set) var isRefusedCode = false

    /// Whether this process may not read the store.
    private(set) var isStoreClosed = false

    /// Whether standard output already has the beginning of the object that reports this failure.
    private(set) var isContinued = false

    init(
        _ exitStatus: ExitStatus, _ code: String, _ message: String, advice: Advice? = nil, attemptsLeft: Int? = nil
    ) {
        self.exitStatus = exitStatus
        self.code = code
        self.message = message
        self.advice = advice
        self.attemptsLeft = attemptsLeft
    }

    /// A copy with details of what happened.
    func detailing(_ details: [String]) -> CommandFailure {
        var failure = self
        failure.details = details
        return failure
    }

    /// A copy with another hint.
    func advising(_ advice: Advice) -> CommandFailure {
        CommandFailure(exitStatus, code, message, advice: advice, attemptsLeft: attemptsLeft)
    }

    /// A copy with another sentence in the message.
    func adding(_ sentence: String) -> CommandFailure {
        var failure = CommandFailure(
            exitStatus, code, message + " " + sentence, advice: advice, attemptsLeft: attemptsLeft)
        (failure.foreign, failure.isRefusedCode, failure.isBusy) = (foreign, isRefusedCode, isBusy)
        return failure
    }

    /// A copy for the case that another program holds the lock of the store.
    func whileBusy() -> CommandFailure {
        var failure = self
        failure.isBusy = true
        return failure
    }

    /// A copy for the case that another invitation code may succeed.
    func refusingCode() -> CommandFailure {
        var failure = self
        failure.isRefusedCode = true
        return failure
    }

    /// A copy that completes an object whose beginning is on standard output.
    func continued(_ isContinued: Bool = true) -> CommandFailure {
        var failure = self
        failure.isContinued = isContinued
        return failure
    }

    /// A copy for the case that this process may not read the store.
    func atClosedStore() -> CommandFailure {
        var failure = self
        failure.isStoreClosed = true
        return failure
    }

    /// A copy for the case that an untrusted account serves the server's socket.
    func atForeignSocket(of server: String) -> CommandFailure {
        var failure = self
        failure.foreign = server
        return failure
    }

    /// A copy that names the untrusted account that serves the socket, or the program that holds the lock.
    func completed(_ options: CommonOptions) -> CommandFailure {
        if isBusy { return namingHolder(options) }
        guard let foreign, let owner = SocketOwner(foreign) else { return self }
        let configuration: Configuration
        do throws(CommandFailure) { configuration = try options.configuration() } catch { return self }
        let (sentence, advice) = owner.distrust(foreign, configuration)
        return CommandFailure(exitStatus, code, sentence + " Nothing was sent.", advice: advice)
    }

    /// A copy that names the program that holds the lock of the store, if the kernel reports it.
    private func namingHolder(_ options: CommonOptions) -> CommandFailure {
        do throws(CommandFailure) {
            let lock = try TargetAccount(options, mayBeGone: true).lock
            guard let holder = LockHolder(lock) else { return self }
            return CommandFailure(
                exitStatus, code,
                "\(message) It is \(holder.text), which holds the lock \(lock).",
                advice: Advice("Try again. Check what it is doing: ps -fp \(holder.process)"))
        } catch { return self }
    }

    /// A failed SDK call that sent no request.
    init(_ error: MPinError) {
        self.init(
            ExitStatus(error, state: nil), error.code.name.text, error.message,
            advice: error.code == .storageError ? CommandFailure.storeAdvice(error) : nil)
        isBusy = error.code == .storageError && error.isLocal
    }

    /// A configuration that cannot be used.
    ///
    /// - Parameter given: the module arguments that were parsed, and the command-line flag of each.
    init(_ fault: ConfigurationFault, given: [(flag: String, argument: String)]) {
        if case .file(let path) = fault.location {
            let flag = given.first { $0.argument == "conf=" + path || $0.argument == "ca_file=" + path }?.flag
            self = CommandFailure.unusable(path, flag, fault)
            return
        }
        guard case .argument(let number) = fault.location, given.indices.contains(number - 1) else {
            self.init(
                .configuration, "CONFIGURATION", fault.message,
                advice: Advice("Show every problem in it", "config check"))
            return
        }
        // The reason starts with the option's name in the file, but the user gave it as a flag.
        let reason = fault.reason.split(separator: " ").dropFirst().joined(separator: " ")
        let flag = given[number - 1].flag
        self.init(
            .usage, "USAGE", "\(flag) \(reason).",
            advice: Advice("See: mpin-enroll help \(MPinEnroll.commandName)"))
    }

    /// A file that cannot be used at all. It may have been named by mistake, so no hint tells the user to change it.
    private static func unusable(_ path: String, _ flag: String?, _ fault: ConfigurationFault) -> CommandFailure {
        guard let kind = FileKind.irregular(path) else {
            return CommandFailure(
                .configuration, "CONFIGURATION", fault.message,
                advice: unusable(fault, flag) ?? (fault.isShortage ? nil : ConfigurationFault.repair(of: path)))
        }
        return CommandFailure(
            .configuration, "CONFIGURATION",
            "\(flag ?? "The configuration") needs a regular file, but \(path) is \(kind).",
            advice: flag.map { Advice("Use another file with \($0).") })
    }

    private static func unusable(_ fault: ConfigurationFault, _ flag: String?) -> Advice? {
        guard !fault.isShortage else { return nil }
        if fault.reason == ConfigurationFault.notPermitted { return Advice.useSudo }
        return flag.map {
            Advice(
                fault.reason == ConfigurationFault.missing
                    ? "Check the path, or omit \($0)."
                    : "Use a file that you or root owns, and that no other user can write to.")
        }
    }

    static func canceled(_ advice: Advice) -> CommandFailure {
        CommandFailure(.canceled, "CANCELED", "Canceled.", advice: advice)
    }

    static func notEnrolled(_ account: String, advice: Advice) -> CommandFailure {
        CommandFailure(.notEnrolled, "INVALID", "\(account) is not enrolled on this machine.", advice: advice)
    }

    static let emptyIdentity = CommandFailure(
        .badInput, "BAD_INPUT", "--identity is empty.", advice: Advice("Use --identity NAME, or omit it."))

    static let register = Advice("Enroll", "register")
    static let showList = Advice("Show who is enrolled here", "list")
}

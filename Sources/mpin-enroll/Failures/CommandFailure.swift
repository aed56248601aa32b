// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinConfiguration
import SystemFiles

/// Why a command failed: the exit status, what happened, and what to do about it.
struct CommandFailure: Error {
    /// What the program itself can do about a failure.
    enum Circumstance {
        /// An untrusted account serves the socket of this server, and can be named.
        case foreignSocket(server: String)
        /// Another program holds the lock of the store, and can be named.
        case busyStore
        /// Another invitation code may succeed.
        case refusedCode
        /// This process may not read the store, but the agent may.
        case closedStore
        /// The server offers no proof of a key.
        case noServerKey
    }

    let exitStatus: ExitStatus
    /// The name of the status, for programs.
    let code: String
    private(set) var message: String
    private(set) var advice: Advice?
    let attemptsLeft: Int?
    /// Further sentences about what happened, a line each.
    let details: [String]
    var circumstance: Circumstance?
    /// Whether standard output already has the beginning of the object that reports this failure.
    private(set) var isContinued = false

    init(
        _ exitStatus: ExitStatus, _ code: String, _ message: String, advice: Advice? = nil, attemptsLeft: Int? = nil,
        details: [String] = [], _ circumstance: Circumstance? = nil
    ) {
        (self.exitStatus, self.code, self.message, self.advice) = (exitStatus, code, message, advice)
        (self.attemptsLeft, self.details, self.circumstance) = (attemptsLeft, details, circumstance)
    }

    /// A copy with some changes. Everything else stays, so no fact is lost.
    private func changed(_ change: (inout CommandFailure) -> Void) -> CommandFailure {
        var failure = self
        change(&failure)
        return failure
    }

    /// A copy with another hint.
    func advising(_ advice: Advice) -> CommandFailure { changed { $0.advice = advice } }

    /// A copy for a command that had already changed something else: the message does not say that nothing was changed.
    func afterChanges(_ sentence: String) -> CommandFailure {
        changed { failure in
            for claim in [" Nothing was changed on this machine.", " Nothing was changed."] {
                failure.message = failure.message.replacing(claim, with: "")
            }
        }.adding(sentence)
    }

    /// A copy with another sentence in the message.
    func adding(_ sentence: String) -> CommandFailure { changed { $0.message += " " + sentence } }

    /// A copy that completes an object whose beginning is on standard output.
    func continued(_ isContinued: Bool = true) -> CommandFailure { changed { $0.isContinued = isContinued } }

    /// A copy that names the untrusted account that serves the socket, or the program that holds the lock.
    func completed(_ options: CommonOptions) -> CommandFailure {
        do throws(CommandFailure) {
            switch circumstance {
            case .busyStore:
                let lock = try TargetAccount(options, mayBeGone: true).lock
                guard let holder = LockHolder(lock) else { return self }
                return adding("It is \(holder.text), which holds the lock \(lock).")
                    .advising(Advice("Try again. Check what it is doing: ps -fp \(holder.process)"))
            case .foreignSocket(let server):
                guard let owner = SocketOwner(server) else { return self }
                let (sentence, advice) = owner.distrust(server, try options.configuration())
                return changed { ($0.message, $0.advice) = (sentence + " Nothing was sent.", advice) }
            case .refusedCode, .closedStore, .noServerKey, nil: return self
            }
        } catch { return self }
    }

    /// A failed SDK call that sent no request.
    init(_ error: MPinError) {
        self.init(
            ExitStatus(error, state: nil), error.code.name.text, error.message,
            advice: error.code == .storageError ? CommandFailure.storeAdvice(error) : nil,
            error.code == .storageError && error.isLocal ? .busyStore : nil)
    }

    /// A configuration that cannot be used.
    ///
    /// - Parameter given: the module arguments that were parsed, and the command-line flag of each.
    init(_ fault: ConfigurationError, given: [(flag: String, name: String, value: String)]) {
        if case .file(let path) = fault.location {
            let flag = given.first { ["conf", "ca_file"].contains($0.name) && $0.value == path }?.flag
            self = CommandFailure.unusable(path, flag, fault)
            return
        }
        guard case .argument(let number) = fault.location, given.indices.contains(number - 1) else {
            self.init(
                .configuration, "CONFIGURATION", fault.message,
                advice: Advice("Show every problem in it", "config check"))
            return
        }
        let (flag, _, value) = given[number - 1]
        self.init(
            .usage, "USAGE", "\(flag) \(value.isEmpty ? "is empty" : fault.reason).",
            advice: Advice("See: mpin-enroll help \(MPinEnroll.commandName)"))
    }

    /// A file that cannot be used at all. It may have been named by mistake, so no hint tells the user to change it.
    private static func unusable(_ path: String, _ flag: String?, _ fault: ConfigurationError) -> CommandFailure {
        guard let kind = FileKind.irregular(path) else {
            return CommandFailure(
                .configuration, "CONFIGURATION", fault.message,
                advice: advice(fault.kind, flag)
                    ?? (fault.kind == .shortage ? nil : ConfigurationError.repair(of: path)))
        }
        return CommandFailure(
            .configuration, "CONFIGURATION",
            "\(flag ?? "The configuration") needs a regular file, but \(path) is \(kind).",
            advice: flag.map { Advice("Use another file with \($0).") })
    }

    private static func advice(_ kind: ConfigurationError.Kind, _ flag: String?) -> Advice? {
        switch kind {
        case .shortage: nil
        case .notPermitted: .useSudo
        // Without a flag, only the file of CA certificates has to exist.
        case .missing: Advice(flag.map { "Check the path, or omit \($0)." } ?? "Correct or delete 'ca_file'.")
        default: flag.map { _ in Advice("Use a file that you or root owns, and that no other user can write to.") }
        }
    }

    static func canceled(_ advice: Advice) -> CommandFailure {
        CommandFailure(.canceled, "CANCELED", "Canceled.", advice: advice)
    }

    static func notEnrolled(_ account: String, advice: Advice) -> CommandFailure {
        CommandFailure(.notEnrolled, "INVALID", "\(account) is not enrolled on this machine.", advice: advice)
    }

    static let replaced =
        "The token here belongs to a deleted account with the same name and another user ID."

    static let emptyIdentity = CommandFailure(
        .badInput, "BAD_INPUT", "--identity is empty.", advice: Advice("Use --identity NAME, or omit it."))

    static let register = Advice("Enroll", "register")
    static let showList = Advice("Show who is enrolled here", "list")
}

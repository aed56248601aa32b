// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinConfiguration
import SystemFiles

/// What this program can do about a failure.
enum Circumstance {
    /// An untrusted account serves the socket of this server, and can be named.
    case foreignSocket(server: String)
    /// Another invitation code may succeed.
    case refusedCode
    /// This process may not read the store, but the agent may.
    case closedStore
    case noServerKey
}

extension CommandFailure {
    /// A copy that names the untrusted account that serves the socket.
    func completed(_ options: CommonOptions) -> CommandFailure {
        guard case .foreignSocket(let server)? = circumstance as? Circumstance, let owner = SocketOwner(server),
            let configuration = try? options.configuration()
        else { return self }
        let (sentence, advice) = owner.distrust(server, configuration)
        return CommandFailure(exitStatus, code, sentence + " Nothing was sent.", advice: advice)
    }

    /// A failed SDK call that sent no request.
    init(_ error: MPinError) {
        self.init(
            ExitStatus(error), error.code.name, error.message,
            advice: error.code == .storageError ? CommandFailure.storeAdvice(error) : nil)
    }

    /// - Parameter given: the module arguments that were parsed, and the command-line flag of each.
    init(_ fault: ConfigurationError, given: [(flag: String, name: String, value: String)]) {
        if case .file(let path) = fault.location {
            let flag = given.first { ["conf", "ca_file"].contains($0.name) && $0.value == path }?.flag
            self = CommandFailure.unusable(path, flag, fault)
            return
        }
        guard case .argument(let number) = fault.location, given.indices.contains(number - 1) else {
            self.init(
                .configuration, "CONFIGURATION", ConfigurationErrors.message(fault),
                advice: Advice("Show every problem in it", "config check"))
            return
        }
        let (flag, _, value) = given[number - 1]
        self.init(.usage, "USAGE", "\(flag) \(value.isEmpty ? "is empty" : fault.reason).")
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

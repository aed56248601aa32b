// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinAgent
import MPinConfiguration

/// The hint of a report or failure: an imperative phrase and, if there is one, the command to run. Each command is on a
/// line of its own.
struct Advice {
    /// The registration that a command works on. The hint has the options that select it, as far as they are needed.
    struct Subject {
        /// nil for the account of the command line.
        var account: String?
        /// nil for the account's usual one.
        var identity: String?
        /// nil for the one in use.
        var server: String?
        /// An option of the command line that the command does without.
        var omitted: String?
    }

    private enum Kind {
        case plain
        /// The command is the current command line, run with sudo.
        case elevated
        /// The command runs with sudo, even if the agent would act without it.
        case asRoot
        /// The words end with a system command, whose argument is the store's path.
        case aboutStore
    }

    private(set) var words: String
    /// A command of this program without the program's name; shown with the options of the current command line.
    let command: String?
    /// What the command works on, if the command line does not name it.
    private var subject = Subject()
    private let kind: Kind
    /// The hints after this one.
    private var rest: [Advice] = []

    init(_ words: String, _ command: String? = nil) { (self.words, self.command, kind) = (words, command, .plain) }

    init(_ words: String, _ command: String, of subject: Subject) {
        self.init(words, command)
        self.subject = subject
    }

    /// - Parameter rootCommand: a command that the agent does not run for the user.
    init(_ words: String, rootCommand: String) { (self.words, command, kind) = (words, rootCommand, .asRoot) }

    /// - Parameter words: text that ends with a command, to which the store's path is appended.
    init(aboutStore words: String) { self.init(words, .aboutStore) }

    private init(_ words: String, _ kind: Kind) { (self.words, command, self.kind) = (words, nil, kind) }

    /// The current command line, run with sudo.
    static var useSudo: Advice { Advice("Use sudo", .elevated) }

    /// A copy with other words before the command.
    func worded(_ words: String) -> Advice {
        var copy = self
        copy.words = words
        return copy
    }

    /// A copy whose commands work on a registration.
    func about(_ subject: Subject) -> Advice {
        var copy = self
        copy.subject = subject
        copy.rest = rest.map { $0.about(subject) }
        return copy
    }

    /// A copy with another hint after it.
    func adding(_ other: Advice) -> Advice {
        var copy = self
        copy.rest.append(other)
        return copy
    }

    func adding(_ words: String, _ command: String? = nil) -> Advice { adding(Advice(words, command)) }

    func text(_ options: CommonOptions) -> String { lines(options).joined(separator: "\n") }

    func lines(_ options: CommonOptions) -> [String] { [line(options)] + rest.flatMap { $0.lines(options) } }

    private func line(_ options: CommonOptions) -> String {
        switch kind {
        case .elevated: return words + ": " + CommonOptions.elevatedLine
        case .aboutStore:
            let configured = try? options.configuration().store
            return words + " " + CommonOptions.quoted(configured ?? FileStore.standardDirectory)
        case .plain, .asRoot:
            guard let command else { return words }
            return words + ": " + options.line(command, of: subject, asRoot: kind == .asRoot)
        }
    }
}

extension Advice.Subject {
    /// - Parameter account: nil for the account of the command line.
    init(_ user: RegistrationSummary, account: String? = nil) {
        self.init(account: account, identity: user.identity, server: user.backend)
    }
}

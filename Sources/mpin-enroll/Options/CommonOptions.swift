// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPin
import MPinAgent
import MPinConfiguration
import ShellSyntax
import SystemFiles

/// The options of every command. Help has those that most users need; the manual has all.
struct CommonOptions: ParsableArguments, OutputOptions {
    @Option(help: .value("name", "Work on this account (default: your own)."), completion: .accounts) var user: String?

    @Option(help: .rare("identity", "Use this identity (the user ID; default: the enrolled one)."))
    var identity: String?

    @Option(help: .value("address", "Use this server: https://HOST[:PORT] or unix:PATH.")) var server: String?

    @Option(help: .rare("directory", "Keep tokens in this directory (default /var/lib/mpin)."), completion: .directory)
    var store: String?

    @Option(help: .rare("file", "Read this configuration (default /etc/mpin/mpin.conf)."), completion: .file())
    var config: String?

    @Option(help: .rare("file", "Verify the server with these CA certificates (PEM)."), completion: .file())
    var caFile: String?

    @Option(help: .rare("seconds", "Give up after this many seconds (1-120, default 5).")) var timeout: Int?

    @Flag(help: "Print exactly one JSON object and never prompt.") var json = false

    @Flag(help: "Never prompt.") var noInput = false

    @Flag(help: ArgumentHelp("Print only answers and errors.", visibility: .hidden)) var quiet = false

    @Option(help: .rare("when", "Choose when to use colors.")) var color: Display.Colors = .auto

    /// The output capabilities of a stream.
    func display(_ descriptor: Int32) -> Display { Display(descriptor, color) }

    /// Whether the program may prompt on the terminal.
    var mayAsk: Bool { !noInput && !json }

    var isOfThisMachine: Bool { server == nil && store == nil && config == nil && caFile == nil && timeout == nil }

    /// Refuses the options that select a registration, for a command that works on those of all accounts.
    func requireAllAccounts() throws {
        guard user == nil, identity == nil else {
            throw ValidationError("This command is for all accounts: omit --user and --identity.")
        }
    }

    /// The configuration, with these options overriding the file.
    func configuration() throws(CommandFailure) -> Configuration {
        var given: [(flag: String, name: String, value: String)] = []
        if let config { given.append(("--config", "conf", FileName.absolute(config))) }
        if let store { given.append(("--store", "store", FileName.absolute(store))) }
        if let server { try Invitation.requireNone(inAddress: server) }
        if let server { given.append(("--server", "server", CommonOptions.serverAddress(server))) }
        if let caFile { given.append(("--ca-file", "ca_file", FileName.absolute(caFile))) }
        if let timeout { given.append(("--timeout", "timeout", "\(timeout)")) }
        do { return try Configuration.load(arguments: given.map { $0.name + "=" + $0.value }) } catch {
            throw CommandFailure(error, given: given)
        }
    }

    /// What the user must do so that logins trust the file of `--ca-file`; logins read the configuration only.
    var authorityNotice: [String] {
        guard let file = caFile.map(FileName.absolute) else { return [] }
        let configured = try? Configuration.load(arguments: ["conf=" + configurationPath]).caFile
        return configured == file
            ? [] : ["So that logins trust this CA, add to \(configurationPath): ca_file = \(file)"]
    }

    /// The path of the configuration's file, which may not exist.
    var configurationPath: String { config.map(FileName.absolute) ?? Configuration.standardFile }

    var program: String { "mpin-enroll" }

    func line(_ command: String, for advice: Advice) -> String {
        // Root owns the system's store.
        let needsRoot = geteuid() != 0 && store == nil && config == nil
        let own = command.split(separator: " ").map(String.init)
        let selected = selecting(advice.subject, for: own)
        // A user for whom the agent acts needs no sudo for these commands.
        let isServed =
            !advice.needsRoot && AgentCall.isUsed && isOfThisMachine && selected.server == nil
            && MPinEnroll.isForUsers(own)
        var words = !isServed && !isOwnTest(own, selected) && (AccountName.caller != nil || needsRoot) ? ["sudo"] : []
        words += [program] + own
        // `list` shows all registrations. These options would hide the one that the user looks for.
        let isList = own.first == "list"
        // These commands work on the registrations of all accounts.
        let isOfMachine = isList || own.starts(with: ["server", "set"]) || own.starts(with: ["server", "trust"])
        let options = [
            ("--user", isOfMachine ? nil : selected.account), ("--identity", isOfMachine ? nil : selected.identity),
            ("--server", isList || own.starts(with: ["server", "set"]) ? nil : selected.server),
            ("--store", store), ("--config", config), ("--ca-file", isList ? nil : caFile),
            ("--timeout", isList ? nil : timeout.map(String.init)),
        ]
        for (flag, value) in options where !own.contains(flag) {
            guard let value else { continue }
            words += [flag, CommonOptions.quoted(value)]
        }
        return words.joined(separator: " ")
    }

    /// Whether the account's owner, who ran sudo, can test the PIN without it, because the agent logs in for users.
    private func isOwnTest(_ own: [String], _ selected: Advice.Subject) -> Bool {
        guard own == ["test"], let caller = AccountName.caller, (selected.account ?? caller) == caller,
            selected.server == nil, store == nil, config == nil, caFile == nil, timeout == nil
        else { return false }
        guard let configuration = try? configuration() else { return false }
        return FileFacts.isThere(configuration.agentSocket) && SessionExamination.agentTakesPIN(configuration)
    }

    /// The options that select a registration: those of the command line, and what they and the configuration do not
    /// select. `register` would otherwise start another enrollment.
    private func selecting(_ subject: Advice.Subject, for own: [String]) -> Advice.Subject {
        guard !subject.isUsual else { return Advice.Subject(account: subject.account ?? user) }
        var selected = Advice.Subject(account: subject.account ?? user, identity: identity, server: server)
        guard subject.identity != nil || subject.server != nil, let configuration = try? configuration(),
            let account = selected.account.map({ AccountName.canonical($0) ?? $0 }) ?? AccountName.caller
                ?? AccountName.own
        else { return selected }
        let usual = AccountRecords(configuration, account: account)
        if identity == nil, subject.identity != usual?.identity { selected.identity = subject.identity }
        // Without a configured server, all other commands find the registration wherever it is.
        let needsServer = usual?.server != nil || own.first == "register"
        if server == nil, needsServer, subject.server != usual?.normalServer { selected.server = subject.server }
        return selected
    }

    /// A registration as hints name it: without options if commands find it without them.
    func subject(_ registration: RegistrationSummary) -> Advice.Subject {
        var subject = Advice.Subject(registration), plain = self
        (plain.identity, plain.server) = (nil, nil)
        do throws(CommandFailure) {
            let user = try AccountStatus(TargetAccount(plain), plain).user
            subject.isUsual = user?.identity == registration.identity && user?.backend == registration.backend
        } catch {}
        return subject
    }

    static func quoted(_ word: String) -> String { ShellWord.quoted(word) }

    /// The address of a server as a user writes it: a relative path is completed, and a host name means https.
    static func serverAddress(_ text: String) -> String {
        if text.hasPrefix("unix:") { return "unix:" + FileName.absolute(String(text.dropFirst("unix:".count))) }
        let isBare = !text.contains("://") && Backend("https://" + text) != nil
        return isBare ? "https://" + text : text
    }
}

import ArgumentParser
import CommandSyntax
import Foundation
import MPinServer

/// Makes this host its own server, in one command that may be run any number of times.
struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Make this host its own M-Pin server, and invite a user.",
        discussion: """
            Makes the account mpin, /var/lib/mpin-server and /etc/mpin/mpin.conf where they are missing, has systemd run \
            the server, and prints an invitation. What is there is left as it is. May be run again at any time.
            """)

    /// Where the server listens; the unit has the same.
    private static let directory = "/run/mpin"
    static let socket = "/run/mpin/server.sock"
    private static let unit = "mpin-server.service"

    @Argument(
        help: "The account of this host that is to log in with a PIN. Default: the one that has called sudo.",
        completion: .accounts)
    var user: String?

    @Option(
        help: ArgumentHelp(
            "Where the key is to lie that seals the master shares of a new server: file, credential or tpm. Default: file.",
            valueName: "place"))
    var seal: KeyPlace?

    /// Taken, so that its refusal says what leads on.
    @Option(help: ArgumentHelp("Not for setup.", visibility: .private))
    var role = ServedRole.server

    @Flag(help: "Print exactly one JSON object, and ask nothing.")
    var json = false

    private var output: Output { Output(json: json) }

    func run() throws {
        guard geteuid() == 0 else {
            throw ServerFault(
                .notPermitted, "setup makes an account and files of the system, which only root may", account: "root")
        }
        guard role == .server else {
            throw Self.onlyServer("setup makes a server that people log in to, and no second authority")
        }
        let user = try self.user ?? invited()
        guard !user.isEmpty else {
            throw ServerFault(
                .usage, "the name of the account that is to log in with a PIN is empty",
                hint: "Run: sudo mpin-server setup USER, with the name of an account.")
        }
        guard unsafe getpwnam(user) != nil else {
            throw ServerFault(
                .noSuchUser, "there is no account \(user) on this host",
                hint: "Run: sudo mpin-server setup USER, with the name of an account.")
        }
        guard try seal != .credential || Self.hasUnit() else {
            throw ServerFault(
                .configuration, "a credential needs systemd with \(Self.unit), which there is not",
                hint: "Nothing was changed. For the TPM in its place, run: sudo mpin-server setup --seal tpm")
        }
        try output.begin("Making this host its own M-Pin server, with an invitation for \(user):")
        var steps = SetupSteps(json: json)
        let account = try ServerAccount.make(&steps)
        let program = AccountProgram(account: account)
        var recovery = try initialize(program, &steps)
        let leadsHere = try ClientConfiguration(socket: Self.socket).write(&steps)
        let command = try start(program, &steps)
        let invitation = try invite(user, program, leadsHere: leadsHere, serve: command, &steps)
        // Last, because an invitation needs the key, which only systemd opens from then on.
        if seal == .credential, try program.state().text("seal") == KeyPlace.file.rawValue {
            recovery = try ServerCredential(unit: Self.unit, program: program).make(&steps, isShown: !json)
        }
        var members = invitation.members.merging(recovery?.members ?? [:]) { $1 }
        members["steps"] = steps.members
        output.succeed(invitation.lines.joined(separator: "\n"), members)
        // Where that fails, the key counts as not shown, and is offered again.
        if recovery != nil { _ = try? program.ask("setup-state", "--json", "--shown") }
    }

    /// Why setup makes no second authority, and goes on with none: nobody logs in there.
    private static func onlyServer(_ reason: String) -> ServerFault {
        ServerFault(
            .usage, reason,
            hint: "Run for one: mpin-server init --role authority --relying-party LINE; its unit is in docs/server.md "
                + "under 'Two authorities on two hosts'.")
    }

    /// Who is to be invited. The one question there is.
    private func invited() throws(ServerFault) -> String {
        if let name = ProcessInfo.processInfo.environment["SUDO_USER"], !name.isEmpty, name != "root" { return name }
        guard !json, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw ServerFault(
                .usage, "nobody is named who is to log in with a PIN", hint: "Run: sudo mpin-server setup USER")
        }
        Swift.print("Which account is to log in with a PIN? ", terminator: "")
        fflush(nil)
        let name = readLine()?.trimmingCharacters(in: .whitespaces) ?? ""
        guard !name.isEmpty else {
            throw ServerFault(
                .usage, "nobody is named who is to log in with a PIN", hint: "Run: sudo mpin-server setup USER")
        }
        return name
    }

    /// - Returns: the recovery key of a new server whose key is sealed to the TPM.
    private func initialize(_ program: AccountProgram, _ steps: inout SetupSteps) throws -> RecoveryKeyText? {
        let directory = ServerDirectory.installed
        _ = try program.account.make(directory: directory, mode: 0o700)
        let state = try program.state()
        guard state.text("role") != ServerRole.authority.rawValue else {
            throw Self.onlyServer(
                "\(directory) holds a second authority, at which nobody logs in: there is nothing to set up for users")
        }
        let place = state.text("seal").flatMap(KeyPlace.init(rawValue:))
        // The account cannot see whether there is a credential.
        guard !state.flag("isInitialized") || place == nil && !ServerCredential.isThere else {
            steps.note("server", "\(directory) holds a server" + (wayElsewhere(place) ?? ""))
            try openTPM(place, unshown: state.text("unshown"), &steps)
            return nil
        }
        // First, so that no run that is cut off leaves a new server that takes everything.
        try ServerSettings.write(&steps)
        let device = seal == .tpm ? try ServerTPM() : nil
        try device?.admit(ServerAccount.name, &steps)
        let answer: AccountProgram.Answer
        do throws(ServerFault) {
            answer =
                try device == nil
                ? program.ask("init", "--json") : program.ask("init", "--json", "--seal", "tpm", "--shown-by-caller")
        } catch {
            // A run of setup that was killed may have left an 'init' that went on.
            guard try program.state().flag("isInitialized") else {
                throw ServerFault(
                    .cannotCreate, "no server could be made in \(directory): \(error.message)",
                    hint: "To see more, run: sudo -u \(ServerAccount.name) mpin-server init"
                        + (device == nil ? "" : " --seal tpm"))
            }
            answer = AccountProgram.Answer(members: [:])
        }
        steps.done("server", "made a server in \(directory): its keys and its database")
        guard let device else { return nil }
        try device.open(to: Self.unit, &steps)
        guard let recovery = RecoveryKeyText(answer) else {
            throw ServerFault(
                .internalFault, "the recovery key of the new server was not shown",
                hint: "To have it shown, run: \(Self.reseal)")
        }
        // At once, because what comes next may fail. Until then a mark in the directory tells that nobody has seen it.
        if !json {
            Output.print(
                recovery.lines.joined(separator: "\n"),
                otherwise: "The server was made, and nobody has seen its recovery key. To have it shown, run: "
                    + Self.reseal)
            _ = try? program.ask("setup-state", "--json", "--shown")
        }
        return recovery
    }

    /// Shows the recovery key of the installed server.
    private static let reseal =
        "sudo systemctl stop \(unit); sudo -u \(ServerAccount.name) mpin-server reseal --seal tpm"

    /// What puts the key of a server that is there to where it is asked for; nil where it is.
    private func wayElsewhere(_ place: KeyPlace?) -> String? {
        guard let seal, seal != place ?? .credential else { return nil }
        let stop = "sudo systemctl stop \(Self.unit)"
        let reseal = "sudo -u \(ServerAccount.name) mpin-server reseal --seal"
        return switch (place, seal) {
        case (.file?, .credential): nil
        case (_, .credential): "; its key is in the TPM, and goes to a file first by:\n\(stop)\n\(reseal) file"
        case (nil, _): "; its key is a credential of systemd's; docs/server.md says how a file is made of it"
        case (_, let seal): "; its key is put elsewhere by:\n\(stop)\n\(reseal) \(seal.rawValue)"
        }
    }

    /// Opens the TPM to a server that is there and has its key in it, or is to have it there.
    private func openTPM(_ place: KeyPlace?, unshown: String?, _ steps: inout SetupSteps) throws {
        guard seal == .tpm || place == .tpm else { return }
        let device = try ServerTPM()
        try device.admit(ServerAccount.name, &steps)
        try device.open(to: Self.unit, &steps)
        guard let unshown else { return }
        steps.note("recovery", RecoveryKeyText.unshown(unshown, command: Self.reseal))
    }

    /// Whether systemd runs here and knows the server.
    private static func hasUnit() throws(ServerFault) -> Bool {
        guard FileManager.default.fileExists(atPath: "/run/systemd/system") else { return false }
        return try SystemCommand("/usr/bin/systemctl", "cat", unit).run().status == 0
    }

    /// Has the server run.
    ///
    /// - Returns: the command that runs it, where nothing else does.
    private func start(_ program: AccountProgram, _ steps: inout SetupSteps) throws -> String? {
        if try Self.hasUnit() {
            try enable(program, &steps)
            return nil
        }
        _ = try program.account.make(directory: Self.directory, mode: 0o755)
        if try program.state().flag("answers") {
            steps.note("running", "the server answers at \(Self.socket)")
            return nil
        }
        let command = "sudo -u \(ServerAccount.name) mpin-server serve --listen unix:\(Self.socket)"
        steps.note(
            "running", "there is no systemd with \(Self.unit) here, so that you have to start the server:\n\(command)")
        return command
    }

    private func enable(_ program: AccountProgram, _ steps: inout SetupSteps) throws {
        let wasAnswered = try program.state().flag("answers")
        let enabled = try SystemCommand("/usr/bin/systemctl", "enable", "--now", Self.unit).run()
        guard enabled.status == 0 else {
            throw ServerFault(
                .unavailable, "systemd could not start the server: \(enabled.reason)",
                hint: "To see why, run: sudo systemctl status \(Self.unit); then run again: sudo mpin-server setup")
        }
        guard try program.isAnswered(within: 30) else {
            throw ServerFault(
                .unavailable, "the server was started and does not answer at \(Self.socket)",
                hint: "To see why, run: sudo journalctl -u \(Self.unit); then run again: sudo mpin-server setup")
        }
        let text = "systemd runs the server, now and after each start of this host"
        if wasAnswered { steps.note("running", text) } else { steps.done("running", text) }
    }

    /// - Returns: what is said of it, for people and for programs.
    private func invite(
        _ user: String, _ program: AccountProgram, leadsHere: Bool, serve: String?, _ steps: inout SetupSteps
    ) throws -> (lines: [String], members: [String: Any]) {
        var members: [String: Any] = ["userId": user, "serve": serve.map { $0 as Any } ?? NSNull()]
        // Without the option it is about the account that calls sudo.
        let isCaller = ProcessInfo.processInfo.environment["SUDO_USER"] == user
        let account = isCaller ? "" : " --user \(ShellWord.quoted(user))"
        let server = leadsHere ? "" : " --server unix:\(Self.socket)"
        let known = try? program.ask("user", "show", "--json", "--", user)
        let devices = (known?.members["devices"] as? [[String: Any]] ?? []).count {
            ["REGISTERED", "BLOCKED"].contains($0["state"] as? String)
        }
        if devices > 0 {
            steps.note("invitation", "\(user) is enrolled: \(devices) device(s)")
            let next = "sudo mpin-enroll status\(account)"
            members["next"] = next
            return (["Next: \(next)"], members)
        }
        let answer = try program.ask("invite", "--json", "--", user)
        guard let code = answer.text("code"), let expires = answer.text("expires") else {
            throw ServerFault(.internalFault, "the invitation of \(user) has no code")
        }
        steps.done("invitation", "invited \(user)")
        let next = "sudo mpin-enroll register\(account)\(server)"
        members["code"] = code
        members["expires"] = expires
        members["next"] = next
        var lines = [code]
        let isTerminal = Output.isTerminal
        if !json, let picture = QRCode(code) {
            lines.append(picture.text(isColored: isTerminal, isUnicode: Self.isUnicode))
        }
        lines.append("For \(user), once, until \(expires).")
        lines.append("Next\(serve == nil ? "" : ", when the server runs"): \(next)")
        return (lines, members)
    }

    /// Whether the locale has UTF-8.
    private static var isUnicode: Bool {
        let environment = ProcessInfo.processInfo.environment
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        return ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
    }
}

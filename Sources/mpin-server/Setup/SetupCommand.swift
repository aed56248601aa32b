// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Foundation
import MPinServer
import MPinServerStorage
import ShellSyntax
import SystemFiles

/// Makes this host its own server. The command can be run any number of times.
struct SetupCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Set up an M-Pin server on this host and invite a user.",
        discussion: """
            Creates the account mpin, /var/lib/mpin-server and /etc/mpin/mpin.conf if they are missing, starts the \
            server with systemd, and prints an invitation. Does not change existing files, except that \
            --public-url changes the public address. You can run it again at any time.

            Example: sudo mpin-server setup alice
            """)

    /// The directory of the server's socket, as in the unit.
    private static let directory = "/run/mpin"
    static let socket = "/run/mpin/server.sock"
    private static let statusSocket = "/run/mpin/status.sock"
    static let unit = "mpin-server.service"

    @Argument(help: "The account to invite (default: the caller of sudo).", completion: .accounts)
    var user: String?

    @Option(help: .value("place", "Where to keep the sealing key.")) var seal: KeyPlace?

    @OptionGroup var publicAddress: PublicAddressOptions

    @Flag(help: "Continue even if this host is the client of another server.") var yes = false

    @Flag(help: "Print exactly one JSON object, and ask nothing.") var json = false

    var output: Output { Output(json: json) }

    func run() throws {
        guard geteuid() == 0 else {
            throw ServerError(
                .notPermitted, "only root can run setup: it creates an account and system files", account: "root")
        }
        // A node of several seldom has accounts of users.
        let isNode = try ServerDirectory.readRootConfiguration().database != nil
        let user = self.user ?? (isNode ? nil : invited())
        guard user?.isEmpty != true else {
            throw ServerError(
                .usage, "no account name given, or it is empty",
                hint: "Run: sudo mpin-server setup USER"
                    + publicAddress.words.map { " " + ShellWord.quoted($0) }.joined())
        }
        if let user, unsafe getpwnam(user) == nil {
            throw ServerError(
                .noSuchUser, "no account \(user) on this host",
                hint: "Check the spelling, or create it: sudo useradd --create-home \(ShellWord.quoted(user))")
        }
        let address = try publicAddress.address()
        let configuration = ClientConfiguration(socket: Self.socket)
        try confirm(configuration)
        try output.begin("Setting up an M-Pin server on this host\(user.map { ", for \($0)" } ?? ""):")
        var steps = SetupSteps(json: json)
        let account = try ServerAccount.make(&steps)
        let program = AccountProgram(account: account)
        let recovery = try initialize(program, &steps)
        let leadsHere = try configuration.write(&steps)
        var command: String?
        if let address {
            try address.open(program, &steps) { command = try start(program, &$0) }
        } else {
            command = try start(program, &steps)
            if let closed = try program.closedAddress(within: 1) {
                steps.note("listener", "Warning: \(closed)\nFind the cause: sudo mpin-server doctor")
            }
            do throws(ServerError) { try ServerDirectory.rootTLSFiles?.check() } catch {
                steps.note("certificate", "Warning: \(error.message)\n\(error.hint)")
            }
        }
        let invitation: (lines: [String], members: Members)
        if let user {
            invitation = try invite(user, program, leadsHere: leadsHere, serve: command, &steps)
        } else {
            invitation = (["Next, for each user: sudo mpin-server invite USER"], ["serve": command])
        }
        var members = invitation.members.merging(recovery?.members ?? [:])
        members["steps"] = steps.members
        try output.succeed(invitation.lines.joined(separator: "\n"), members)
        // If this fails, the key counts as not shown, and a later command shows it again.
        if recovery != nil { _ = try? program.ask("setup-state", "--json", "--shown") }
    }

    /// The account to invite; empty if none is known. Setup asks no other question.
    private func invited() -> String {
        if let name = ProcessInfo.processInfo.environment["SUDO_USER"], !name.isEmpty, name != "root" { return name }
        let answer = Output(json: json).ask("Which account of this host will log in with a PIN (for example alice)? ")
        return answer?.trimmingCharacters(in: .whitespaces) ?? ""
    }

    /// Asks before a host whose logins use another server gets a server of its own.
    private func confirm(_ configuration: ClientConfiguration) throws(ServerError) {
        guard !yes, let other = try configuration.otherServer() else { return }
        let question = "\(other)\nSet up a server here anyway? [y/N] "
        guard let answer = output.ask(question) else {
            throw ServerError(
                .usage, "this host is a client. \(other)",
                hint: "Nothing was changed. To set up a server here anyway, add --yes.\n"
                    + "To enroll an account of this host at that server: sudo mpin-enroll")
        }
        guard ["y", "yes"].contains(answer.lowercased()) else {
            throw ServerError(.usage, "no server was set up", hint: "Nothing was changed.")
        }
    }

    /// - Returns: the recovery key of a new server whose key is sealed to the TPM.
    private func initialize(_ program: AccountProgram, _ steps: inout SetupSteps) throws -> RecoveryKeyText? {
        let directory = ServerDirectory.installed
        _ = try program.account.make(directory: directory, mode: 0o700)
        let state = try program.state()
        guard state.text("role") != ServerRole.authority.rawValue else {
            throw ServerError(
                .usage, "\(directory) contains a second authority, which has no users",
                hint: "See: docs/server.md, 'Two authorities on two hosts'")
        }
        guard !state.flag("isInitialized") else {
            guard state.text("role") == ServerRole.combined.rawValue || !publicAddress.selfSigned else {
                throw ServerError(
                    .usage, "--self-signed: the second authority is on another host, whose certificate clients verify",
                    hint: "Nothing was changed. Use --tls-cert and --tls-key instead.")
            }
            let place = state.text("seal").flatMap(KeyPlace.init(rawValue:))
            steps.note("server", "\(directory) contains a server" + wayElsewhere(place))
            // A restored server has none of these settings yet. They must not shut out a device.
            if state.members["hasDevicesWithoutKey"] as? Bool == false, !ServerSettings.isThere {
                try ServerSettings.write(&steps)
            }
            try openTPM(place, unshown: state.text("unshown"), &steps)
            return nil
        }
        // The first step, so that an interrupted run never leaves a new server that accepts all clients.
        try ServerSettings.write(&steps)
        let device = seal == .tpm ? try ServerTPM() : nil
        try device?.admit(ServerAccount.name, &steps)
        let answer: AccountProgram.Answer
        do throws(ServerError) {
            answer =
                try device == nil
                ? program.ask("init", "--json") : program.ask("init", "--json", "--seal", "tpm", "--shown-by-caller")
        } catch {
            // An 'init' of an earlier setup that was killed may have finished meanwhile.
            guard try program.state().flag("isInitialized") else {
                throw ServerError(
                    .cannotCreate, "cannot create a server in \(directory): \(error.message)",
                    hint: error.hint.isEmpty
                        ? "Show the full error: sudo mpin-server init" + (device == nil ? "" : " --seal tpm")
                        : error.hint)
            }
            answer = AccountProgram.Answer(members: [:])
        }
        steps.done("server", "created a server in \(directory): its keys and its database")
        guard let device else { return nil }
        try device.open(to: Self.unit, &steps)
        guard let recovery = RecoveryKeyText(answer) else {
            throw ServerError(
                .internalFault, "the recovery key of the new server was not shown", hint: "Show it: \(Self.reseal)")
        }
        // Shown now, because the next steps may fail. Until it is recorded as shown, commands warn.
        if !json {
            Output.print(
                recovery.lines.joined(separator: "\n"),
                otherwise: "The server was created, but its recovery key has not been shown. Show it: " + Self.reseal)
            _ = try? program.ask("setup-state", "--json", "--shown")
        }
        return recovery
    }

    /// The command that shows the recovery key of the installed server.
    private static let reseal =
        "sudo systemctl stop \(unit); sudo mpin-server reseal --seal tpm"

    /// The commands that move the key of an existing server to the requested place; empty if it is there already.
    private func wayElsewhere(_ place: KeyPlace?) -> String {
        guard let seal, seal != place else { return "" }
        return ". To move its key:\nsudo systemctl stop \(Self.unit)\nsudo mpin-server reseal --seal \(seal.rawValue)"
    }

    /// Allows an existing server to access the TPM, if its key is in the TPM or will be.
    private func openTPM(_ place: KeyPlace?, unshown: String?, _ steps: inout SetupSteps) throws {
        guard seal == .tpm || place == .tpm else { return }
        let device = try ServerTPM()
        try device.admit(ServerAccount.name, &steps)
        try device.open(to: Self.unit, &steps)
        guard let unshown else { return }
        steps.note("recovery", RecoveryKeyText.unshown(unshown, command: Self.reseal))
    }

    /// Whether systemd runs here and has the unit of the server.
    static func hasUnit() throws(ServerError) -> Bool {
        guard Systemd.isRunning else { return false }
        return try SystemCommand("/usr/bin/systemctl", "cat", unit).run().status == 0
    }

    /// Whether systemd starts the server at each boot, as setup has it.
    static var isEnabled: Bool {
        guard Systemd.isRunning else { return false }
        return (try? SystemCommand("/usr/bin/systemctl", "is-enabled", "--quiet", unit).run().status) == 0
    }

    /// Starts the server with systemd.
    ///
    /// - Returns: the command that runs the server, if systemd does not.
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
        let command = "sudo mpin-server serve --status unix:\(Self.statusSocket)"
        steps.note(
            "running",
            "systemd cannot start \(Self.unit) on this host.\nStart it in another terminal, and leave it running:\n\(command)"
        )
        return command
    }

    private func enable(_ program: AccountProgram, _ steps: inout SetupSteps) throws {
        let wasAnswered = try program.state().flag("answers")
        let enabled = try SystemCommand("/usr/bin/systemctl", "enable", "--now", Self.unit).run()
        guard enabled.status == 0 else {
            throw ServerError(
                .unavailable, "the server does not start: \(ServiceFailure.reason ?? enabled.reason)",
                hint: "See: sudo journalctl -u \(Self.unit)\nThen run again: sudo mpin-server setup")
        }
        guard try program.isAnswered(within: 30) else {
            throw ServerError(
                .unavailable, "the server was started but does not answer at \(Self.socket)",
                hint: "See: sudo journalctl -u \(Self.unit)\nThen run again: sudo mpin-server setup")
        }
        let text = "systemd runs the server, now and after each boot"
        if wasAnswered { steps.note("running", text) } else { steps.done("running", text) }
    }

    /// - Returns: the text output and the JSON members.
    private func invite(
        _ user: String, _ program: AccountProgram, leadsHere: Bool, serve: String?, _ steps: inout SetupSteps
    ) throws -> (lines: [String], members: Members) {
        var members: Members = ["userId": user, "serve": serve]
        // Without --user, mpin-enroll uses the caller of sudo.
        let isCaller = ProcessInfo.processInfo.environment["SUDO_USER"] == user
        let account = isCaller ? "" : " --user \(ShellWord.quoted(user))"
        let server = leadsHere ? "" : " --server unix:\(Self.socket)"
        let known = try? program.ask("user", "show", "--json", "--", user)
        let devices = (known?.members["devices"] as? [[String: Any]] ?? []).count {
            ["REGISTERED", "BLOCKED"].contains($0["state"] as? String)
        }
        if devices > 0 {
            steps.note("invitation", "\(user) is enrolled: \(counted(devices, "device"))")
            let next =
                publicAddress.publicURL == nil ? "sudo mpin-enroll status\(account)" : "sudo mpin-server invite USER"
            members["next"] = next
            members["fingerprint"] = try program.state().text("fingerprint")
            return (["Next: \(next)"], members)
        }
        let answer = try program.ask("invite", "--json", "--", user)
        guard let code = answer.text("code"), let expires = answer.text("expires"),
            let fingerprint = answer.text("fingerprint")
        else { throw ServerError(.internalFault, "the invitation for \(user) has no code") }
        steps.done("invitation", "invited \(user)")
        let next = "sudo mpin-enroll\(account)\(server)"
        members["code"] = code
        members["fingerprint"] = fingerprint
        members["expires"] = expires
        members["next"] = next
        var lines = [code, "Enrolls one device of \(user), and is \(Lifetime.text(until: expires))."]
        lines.append("Next\(serve == nil ? "" : ", once the server runs"): \(next)")
        return (lines, members)
    }
}

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
    private static let socket = "/run/mpin/server.sock"
    private static let unit = "mpin-server.service"

    @Argument(
        help: "The account of this host that is to log in with a PIN. Default: the one that has called sudo.",
        completion: .accounts)
    var user: String?

    @Flag(help: "Print exactly one JSON object, and ask nothing.")
    var json = false

    private var output: Output { Output(json: json) }

    func run() throws {
        guard geteuid() == 0 else {
            throw ServerFault(
                .notPermitted, "setup makes an account and files of the system, which only root may", account: "root")
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
        var steps = SetupSteps(json: json)
        let account = try ServerAccount.make(&steps)
        try initialise(account, &steps)
        let leadsHere = try ClientConfiguration(socket: Self.socket).write(&steps)
        let command = try start(account, &steps)
        try invite(user, leadsHere: leadsHere, serve: command, &steps)
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

    private func initialise(_ account: ServerAccount, _ steps: inout SetupSteps) throws {
        let directory = ServerDirectory(CommandLineText.standardDirectory)
        _ = try account.make(directory: directory.path, mode: 0o700)
        guard !directory.isInitialised else {
            steps.note("server", "\(directory.path) holds a server")
            return
        }
        // First, so that no run that is cut off leaves a new server that takes everything.
        try ServerSettings.write(&steps)
        // As the account, to which all files of the server have to belong.
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let made = try SystemCommand(
            "/usr/bin/setpriv", "--reuid=\(account.user)", "--regid=\(account.group)", "--clear-groups", "--", program,
            "init"
        ).run()
        // A run of setup that was killed may have left an 'init' that went on.
        guard made.status == 0 || directory.isInitialised else {
            throw ServerFault(
                .cannotCreate, "no server could be made in \(directory.path): \(made.reason)",
                hint: "To see more, run: sudo -u \(ServerAccount.name) mpin-server init")
        }
        steps.done("server", "made a server in \(directory.path): its keys and its database")
    }

    /// Has the server run.
    ///
    /// - Returns: the command that runs it, where nothing else does.
    private func start(_ account: ServerAccount, _ steps: inout SetupSteps) throws -> String? {
        if FileManager.default.fileExists(atPath: "/run/systemd/system"),
            try SystemCommand("/usr/bin/systemctl", "cat", Self.unit).run().status == 0
        {
            try enable(&steps)
            return nil
        }
        _ = try account.make(directory: Self.directory, mode: 0o755)
        if ServerProbe(path: Self.socket).isAnswered() {
            steps.note("running", "the server answers at \(Self.socket)")
            return nil
        }
        let command = "sudo -u \(ServerAccount.name) mpin-server serve --listen unix:\(Self.socket)"
        steps.note(
            "running", "there is no systemd with \(Self.unit) here, so that you have to start the server:\n\(command)")
        return command
    }

    private func enable(_ steps: inout SetupSteps) throws {
        let wasAnswered = ServerProbe(path: Self.socket).isAnswered()
        let enabled = try SystemCommand("/usr/bin/systemctl", "enable", "--now", Self.unit).run()
        guard enabled.status == 0 else {
            throw ServerFault(
                .unavailable, "systemd could not start the server: \(enabled.reason)",
                hint: "To see why, run: sudo systemctl status \(Self.unit); then run again: sudo mpin-server setup")
        }
        let end = ContinuousClock.now + .seconds(30)
        while !ServerProbe(path: Self.socket).isAnswered() {
            guard ContinuousClock.now < end else {
                throw ServerFault(
                    .unavailable, "the server was started and does not answer at \(Self.socket)",
                    hint: "To see why, run: sudo journalctl -u \(Self.unit); then run again: sudo mpin-server setup")
            }
            usleep(100_000)
        }
        let text = "systemd runs the server, now and after each start of this host"
        if wasAnswered { steps.note("running", text) } else { steps.done("running", text) }
    }

    private func invite(_ user: String, leadsHere: Bool, serve: String?, _ steps: inout SetupSteps) throws {
        let administrator = try Administrator(
            ServerDirectory(CommandLineText.standardDirectory), actor: Options.actor)
        var members: [String: Any] = ["userId": user, "serve": serve.map { $0 as Any } ?? NSNull()]
        // Without the option it is about the account that calls sudo.
        let isCaller = ProcessInfo.processInfo.environment["SUDO_USER"] == user
        let account = isCaller ? "" : " --user \(ShellWord.quoted(user))"
        let server = leadsHere ? "" : " --server unix:\(Self.socket)"
        if let known = try? administrator.user(user), known.devicesInForce > 0 {
            steps.note("invitation", "\(user) is enrolled: \(known.devicesInForce) device(s)")
            members["steps"] = steps.members
            let next = "sudo mpin-enroll status\(account)"
            members["next"] = next
            return output.succeed("Next: \(next)", members)
        }
        let (code, expires) = try administrator.invite(user)
        steps.done("invitation", "invited \(user)")
        let next = "sudo mpin-enroll register\(account)\(server)"
        members["steps"] = steps.members
        members["code"] = code
        members["expires"] = expires.zulu
        members["next"] = next
        var lines = [code]
        let isTerminal = Output.isTerminal
        if !json, let picture = QRCode(code) {
            lines.append(picture.text(isColoured: isTerminal, isUnicode: Self.isUnicode))
        }
        lines.append("For \(user), once, until \(expires.zulu).")
        lines.append("Next\(serve == nil ? "" : ", when the server runs"): \(next)")
        output.succeed(lines.joined(separator: "\n"), members)
    }

    /// Whether the locale has UTF-8.
    private static var isUnicode: Bool {
        let environment = ProcessInfo.processInfo.environment
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        return ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
    }
}

// SPDX-License-Identifier: Apache-2.0
import CMPinSystem
import Foundation
import Testing

/// A machine with an agent, and with accounts that may not read the store.
final class AgentMachine: @unchecked Sendable {
    /// Accounts that every Debian has, with their identities and PINs here.
    static let daemon = Account(name: "daemon", uid: 1, identity: "alice", pin: "4962")
    static let nobody = Account(name: "nobody", uid: 65_534, identity: "bob", pin: "7381")

    struct Account: Sendable {
        let name: String
        let uid: UInt32
        let identity: String
        let pin: String

        /// The command that runs another as this account.
        var launcher: [String] { Launcher.user(Int(uid), group: Int(uid)) }
    }

    let machine: Machine
    private var agent: Background?
    /// The system in which the agent runs, if it is not this test's own.
    private var surroundings: [String] = []

    /// - Parameters:
    ///   - settings: further lines of the agent's configuration; server and store are always set.
    ///   - takesPIN: whether the agent takes the PIN although its callers are in no login session.
    init(settings: String = "", takesPIN: Bool = true, startsAgent: Bool = true) throws {
        machine = try Machine()
        try publish(
            "server = unix:\(machine.socket)\nstore = \(machine.store)\ntimeout = 60\n" + settings
                + (takesPIN ? "method = pin\n" : ""), "/agent.conf")
        try publish("", "/mpin.conf")
        if !takesPIN {
            // logind runs, and knows no session.
            try FileManager.default.createDirectory(
                atPath: machine.directory + "/logind/seats", withIntermediateDirectories: true)
            surroundings = Launcher.covering([("/run/systemd", machine.directory + "/logind")])
        }
        try #require(mkdir(machine.directory + "/agent", 0o755) == 0)
        for account in [Self.daemon, Self.nobody] {
            try machine.register(pin: account.pin, identity: account.identity, account: account.name)
        }
        try offer("agent=\(socket)")
        if startsAgent { try start() }
    }

    deinit { kill() }

    var socket: String { machine.directory + "/agent/agent.sock" }

    /// Writes a file that every user may read.
    func publish(_ text: String, _ name: String) throws {
        try machine.write(text, to: name)
        try #require(chmod(machine.directory + name, 0o644) == 0)
    }

    /// The service of all logins here, with these options of the module.
    func offer(_ options: String) throws { try machine.service("mpin", machine.module(options)) }

    // MARK: The agent

    /// - Parameter launcher: the program that starts the agent.
    func start(by launcher: [String] = []) throws {
        let process = try Background(
            launcher + surroundings + [
                Products.agent, "--listen", "unix:" + socket, "--config", machine.directory + "/agent.conf",
            ])
        try process.requireLine("ready")
        agent = process
    }

    /// Starts the agent in a namespace whose /dev is our directory, with a socket for its log.
    func startWithLog() throws -> AgentLog {
        let devices = machine.directory + "/dev"
        try #require(mkdir(devices, 0o755) == 0)
        try #require(Run("/bin/cp", ["-a", "/dev/null", "/dev/urandom", devices]).status == 0)
        let log = try AgentLog(devices + "/log")
        surroundings = Launcher.covering([("/dev", devices)])
        try start()
        return log
    }

    /// Kills the agent and all its workers.
    func kill() {
        guard let agent else { return }
        for worker in workers { Glibc.kill(worker, SIGKILL) }
        agent.kill()
        self.agent = nil
    }

    /// Asks the agent to end, and waits for it.
    func end() {
        agent?.send(SIGTERM)
        _ = agent?.status()
        agent = nil
    }

    /// Stops the agent. Its workers continue.
    func pause() { agent?.send(SIGSTOP) }

    func resume() { agent?.send(SIGCONT) }

    var isRunning: Bool { agent?.isRunning ?? false }

    /// The processes of the agent's workers.
    var workers: [Int32] {
        guard let process = agent?.identifier,
            let text = try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
        else { return [] }
        return text.split(separator: " ").compactMap { Int32($0.trimmingCharacters(in: .newlines)) }
    }

    // MARK: Commands of mpin-enroll

    /// The call of mpin-enroll as an account, on a machine with our mpin.conf and with our services.
    func enrollment(as user: Account, _ arguments: [String]) throws -> [String] {
        try installed(as: user, [Products.enroll] + arguments)
    }

    /// The call of a program as an account, on a machine with our mpin.conf and with our services.
    func installed(as user: Account, _ call: [String]) throws -> [String] {
        let place = machine.directory + "/etc"
        if mkdir(place, 0o755) == 0 {
            try publish(
                "server = unix:\(machine.socket)\nstore = \(machine.store)\nagent = \(socket)\n", "/etc/mpin.conf")
        }
        return Launcher.covering([("/etc/mpin", place), ("/etc/pam.d", machine.directory + "/pam.d")]) + user.launcher
            + call
    }

    func enroll(as user: Account, _ arguments: String..., pin: String? = nil) throws -> Run {
        try enroll(as: user, arguments, pin: pin)
    }

    func enroll(as user: Account, _ arguments: [String], pin: String? = nil) throws -> Run {
        try Run(enrollment(as: user, arguments + (pin == nil ? [] : ["--pin-file", "-"])), input: pin)
    }

    /// The call of mpin-enroll as an account, at a terminal.
    func terminal(as user: Account, _ arguments: String...) throws -> Terminal {
        try Terminal(enrollment(as: user, arguments))
    }

    // MARK: Logins

    /// Runs the probe as an account.
    func probe(_ command: String, as user: Account, for account: Account? = nil, pins: [String]) throws -> Run {
        for pin in pins { try #require(chmod(machine.pinFile(pin), 0o644) == 0) }
        return try machine.probe(command, pins: pins, user: (account ?? user).name, by: user.launcher)
    }

    /// The return code of one login each.
    func codes(as user: Account, for account: Account? = nil, pins: String...) throws -> [String] {
        try probe("try", as: user, for: account, pins: pins).lines
    }

    /// The beginning of a program in Python that sends actions. `ask` returns the first answer, which is empty if there
    /// is none, and closes the connection.
    static let actions = """
        import socket, struct, sys
        def connect():
            s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            s.settimeout(120)
            s.connect(sys.argv[1])
            return s
        def text(t): return t.encode() if isinstance(t, str) else t
        def message(action, account, identity="", purpose="", argument="", version=\(MPIN_AGENT_VERSION), zero=0, tail=b""):
            head = struct.pack("=BBBB", \(MPIN_AGENT_ACTION), version, action, zero)
            return head + b"".join(text(t) + b"\\0" for t in (account, identity, purpose, argument)) + tail
        def receive(s):
            try: return s.recv(1 << 17)
            except OSError: return b""
        def answer(s, secret): s.send(struct.pack("=BB", \(MPIN_AGENT_ANSWER), 0 if secret else 1) + text(secret))
        def ask(*values, **more):
            s = connect()
            s.send(message(*values, **more))
            return receive(s)

        """

    /// A program in Python that runs until its standard input ends; returns when it has written a line.
    func python(as launcher: [String], _ program: String) throws -> Interpreter {
        let process = try Background(launcher + ["/usr/bin/python3", "-c", program, socket])
        return Interpreter(process: process, line: process.line())
    }

    /// A program that was started and waits.
    struct Interpreter {
        fileprivate let process: Background
        /// The first line that it wrote.
        let line: String

        /// Ends the program and returns its last output.
        func end() -> String { process.end() }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A server, a store and PAM services in a directory of their own, with one enrolled account.
final class Site {
    static let pin = "4962"

    let places: Places
    let directory: String
    let account: String
    private var server: pid_t = 0
    /// The other programs of the site: stunnel, a KDC.
    private var others: [pid_t] = []

    init(_ places: Places) throws {
        self.places = places
        guard let entry = getpwuid(getuid()) else { throw Failure("this account has no name") }
        account = String(cString: entry.pointee.pw_name)
        directory = "/tmp/mpin-bench-\(getpid())"
        for name in ["", "/pam.d", "/empty"] {
            try FileManager.default.createDirectory(
                atPath: directory + name, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        try write("", to: "mpin.conf")
        try service("other", "pam_deny.so")
    }

    deinit {
        stopServer()
        for process in others {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        try? FileManager.default.removeItem(atPath: directory)
    }

    var socket: String { directory + "/s.sock" }
    var serverProcess: pid_t { server }

    func path(_ name: String) -> String { directory + "/" + name }

    func write(_ text: String, to name: String) throws {
        unlink(path(name))
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
        chmod(path(name), 0o600)
    }

    // MARK: The server

    func startServer() throws {
        if access(path("server"), F_OK) != 0 {
            let made = try places.run(places.server, ["init", "--dir", path("server")])
            guard made.status == 0 else { throw Failure("mpin-server init: \(made.errors)") }
        }
        server = try start(places.server, ["serve", "--dir", path("server"), "--listen", "unix:" + socket])
        try wait("the server") { access(socket, F_OK) == 0 }
    }

    func stopServer() {
        guard server > 0 else { return }
        kill(server, SIGKILL)
        waitpid(server, nil, 0)
        server = 0
        unlink(socket)
    }

    /// Runs a command of the server that must succeed.
    func command(_ words: String...) throws {
        let run = try places.run(places.server, words + ["--dir", path("server")])
        guard run.status == 0 else { throw Failure("mpin-server \(words[0]): \(run.errors)") }
    }

    func invitation(for identity: String) throws -> String {
        let made = try places.run(places.server, ["invite", identity, "--json", "--dir", path("server")])
        let object = try JSONSerialization.jsonObject(with: Data(made.output.utf8)) as? [String: Any]
        guard let code = object?["code"] as? String else { throw Failure("mpin-server invite: \(made.errors)") }
        return code
    }

    /// Enrolls this account, by the socket or by the address of the tunnel.
    func enroll(server address: String? = nil, store: String = "store", authority: String? = nil) throws {
        let enrolled = try places.run(
            places.enroll,
            [
                "register", "--code", invitation(for: account), "--pin-file", "-", "--no-input", "--store", path(store),
                "--user", account, "--identity", account, "--config", path("mpin.conf"), "--server",
                address ?? "unix:" + socket,
            ] + (authority.map { ["--ca-file", $0] } ?? []), input: Site.pin)
        guard enrolled.status == 0 else { throw Failure("mpin-enroll register: \(enrolled.errors)") }
    }

    /// Puts stunnel in front of the server and returns its address and certificate.
    func startTunnel() throws -> (address: String, certificate: String) {
        let certificate = path("tls.pem"), key = path("tls.key")
        let made = try places.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
            ])
        guard made.status == 0 else { throw Failure("openssl req: \(made.errors)") }
        let port = Site.anyPort
        try write(
            """
            foreground = yes
            pid =
            [m]
            accept = 127.0.0.1:\(port)
            connect = \(socket)
            cert = \(certificate)
            key = \(key)

            """, to: "tls.conf")
        try startBeside("/usr/bin/stunnel4", [path("tls.conf")], port: port)
        return ("https://localhost:\(port)", certificate)
    }

    static var anyPort: Int { Int.random(in: 20_000..<60_000) }

    /// Starts a program that listens on a port of loopback, and waits until it does.
    func startBeside(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], port: Int
    ) throws {
        _ = try startBeside(program, arguments, environment: environment) { Connection.reaches(port: port) }
    }

    /// Starts a program, and waits until it is ready.
    func startBeside(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], until isReady: () -> Bool
    ) throws -> pid_t {
        let process = try start(program, arguments, environment: environment)
        others.append(process)
        try wait(program, until: isReady)
        return process
    }

    private func start(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
        }
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        let inherited = ProcessInfo.processInfo.environment
        var variables = inherited.merging(environment) { $1 }.map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var process: pid_t = 0
        guard posix_spawn(&process, program, &actions, nil, &words, &variables) == 0 else {
            throw Failure("cannot run \(program)")
        }
        return process
    }

    private func wait(_ name: String, until isReady: () -> Bool) throws {
        for _ in 0..<200 {
            if isReady() { return }
            usleep(50_000)
        }
        throw Failure("\(name) did not start")
    }

    // MARK: PAM

    func service(_ name: String, _ module: String) throws {
        let lines = ["auth", "account"].map { "\($0) required \(module)\n" }.joined()
        try Data(lines.utf8).write(to: URL(fileURLWithPath: path("pam.d/" + name)))
    }

    /// The module with its arguments.
    func module(
        _ file: String? = nil, server: String? = nil, store: String = "store", options: String = ""
    ) -> String {
        "\(file ?? places.module) method=pin conf=\(path("mpin.conf")) store=\(path(store)) server=\(server ?? "unix:" + socket) \(options)"
    }

    /// What the program that calls libpam sees.
    func environment(_ more: [String: String] = [:]) -> [String: String] {
        ["BENCH_PRELOAD": places.preload, "BENCH_SERVICES": path("pam.d")].merging(more) { $1 }
    }

    func logIn(_ service: String, typing: String, environment more: [String: String] = [:]) throws -> Child {
        try places.run(
            "/usr/bin/pamtester", [service, account, "authenticate"], input: typing,
            environment: environment(more))
    }
}

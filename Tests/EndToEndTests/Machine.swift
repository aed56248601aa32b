// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A server as clients reach it.
protocol ServerAddress {
    var url: String { get }
    /// The file with its certificate; nil for a socket.
    var authority: String? { get }
}

extension ServerAddress {
    var authority: String? { nil }
    /// The options of `mpin-enroll` that name it. A busy machine is slow at TLS.
    var options: [String] { ["--server", url] + (authority.map { ["--ca-file", $0, "--timeout", "60"] } ?? []) }
}

/// A server, a store and PAM services in a directory of their own: one machine that is its own server.
final class Machine: ServerAddress, @unchecked Sendable {
    let directory: String
    let account: String
    private var server: Background?

    /// - Parameters:
    ///   - maximum: how many wrong PINs the server accepts.
    ///   - configuration: other settings of the server.
    init(maximum: Int? = nil, configuration: String? = nil, isServing: Bool = true) throws {
        account = String(cString: getpwuid(getuid()).pointee.pw_name)
        directory = "/tmp/mpin-\(UUID().uuidString.prefix(8))"
        for name in ["", "/pam.d"] {
            try #require(mkdir(directory + name, 0o755) == 0)
        }
        // Long enough for a busy machine.
        try write("timeout = 60\n", to: "/mpin.conf")
        try service("mpin", module())
        try service("other", "pam_deny.so")
        let initialized = try Run(Products.server, ["init", "--dir", directory + "/server"])
        try #require(initialized.status == 0, "\(initialized.errors)")
        let settings = configuration ?? maximum.map { "max_invalid_login_attempts = \($0)\n" }
        if let settings { try write(settings, to: "/server/server.conf") }
        if isServing { try start() }
    }

    /// A machine with an enrollment.
    static func enrolled(maximum: Int? = nil, hasKey: Bool = true) throws -> Machine {
        let machine = try Machine(maximum: maximum)
        if hasKey { try machine.register() } else { try machine.registerWithoutKey() }
        return machine
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Where the server listens from its next start.
    var socketName = "/s.sock"
    var socket: String { directory + socketName }
    var url: String { "unix:" + socket }
    var store: String { directory + "/store" }
    var record: String { store + "/users/\(account).json" }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory + name))
        chmod(directory + name, 0o600)
    }

    // MARK: The server

    /// Further addresses on which the server listens from its next start.
    var addresses: [String] = []

    func start() throws {
        let listen = ([url] + addresses).flatMap { ["--listen", $0] }
        let process = try Background([Products.server, "serve", "--dir", directory + "/server"] + listen)
        try process.requireLine("ready")
        server = process
    }

    /// Ends the server as a power failure would.
    func kill() {
        server?.kill()
        server = nil
    }

    /// Suspends the server, and resumes it.
    func pause() { server?.send(SIGSTOP) }
    func resume() { server?.send(SIGCONT) }

    /// Waits until a client of the suspended server has connected, and gives it time to send its request.
    func waitForRequest(_ count: Int = 1) {
        becomes {
            let sockets = (try? String(contentsOfFile: "/proc/net/unix", encoding: .utf8)) ?? ""
            // Besides the one that listens.
            return sockets.split(separator: "\n").count { $0.hasSuffix(" " + socket) } > count
        }
        usleep(300_000)
    }

    func restart() throws {
        kill()
        try start()
    }

    func administer(_ arguments: String...) throws -> Run {
        try Run(Products.server, arguments + ["--dir", directory + "/server"])
    }

    func invitation(for identity: String = "alice") throws -> String {
        try #require(administer("invite", identity, "--json").json()["code"] as? String)
    }

    /// Attempts that the server has counted against the identity since its last success.
    func counted(_ identity: String = "alice") throws -> Int {
        let user = try administer("user", "show", identity, "--json").json()
        let devices = try #require(user["devices"] as? [[String: Any]])
        return try #require(devices.compactMap { $0["failures"] as? Int }.max())
    }

    /// The state of each of alice's devices at the server.
    func deviceStates() throws -> [String] {
        let user = try administer("user", "show", "alice", "--json").json()
        return (user["devices"] as? [[String: Any]] ?? []).map { $0["state"] as? String ?? "" }
    }

    // MARK: Enrollment

    /// Runs `mpin-enroll` without a terminal.
    ///
    /// - Parameters:
    ///   - server: another address of the server, or another server.
    ///   - store: another store.
    ///   - account: another account of this machine.
    func enroll(
        _ command: String, _ arguments: String..., at server: (any ServerAddress)? = nil, pin: String? = nil,
        identity: String = "alice", store: String? = nil, account: String? = nil
    ) throws -> Run {
        try enroll(
            command, options: arguments, at: server, pin: pin, identity: identity, store: store, account: account)
    }

    func enroll(
        _ command: String, options: [String], at server: (any ServerAddress)? = nil, pin: String? = nil,
        identity: String = "alice", store: String? = nil, account: String? = nil
    ) throws -> Run {
        let call = call(
            command, options: options, at: server, identity: identity, store: store, account: account)
        return try Run(
            Products.enroll, call + ["--no-input"] + (pin == nil ? [] : ["--pin-file", "-"]), input: pin)
    }

    /// The arguments of a call that may ask the person at the terminal.
    func call(
        _ command: String, _ arguments: String..., at server: (any ServerAddress)? = nil, identity: String = "alice",
        store: String? = nil, account: String? = nil
    ) -> [String] {
        call(command, options: arguments, at: server, identity: identity, store: store, account: account)
    }

    func call(
        _ command: String, options: [String], at server: (any ServerAddress)? = nil, identity: String = "alice",
        store: String? = nil, account: String? = nil
    ) -> [String] {
        [command] + options + (server ?? self).options + [
            "--store", store ?? self.store, "--user", account ?? self.account, "--identity", identity, "--config",
            directory + "/mpin.conf",
        ]
    }

    /// Enrolls with an invitation.
    func register(
        _ options: String..., at server: (any ServerAddress)? = nil, pin: String = "4962", identity: String = "alice",
        store: String? = nil, account: String? = nil
    ) throws {
        let run = try enroll(
            "register", options: options + ["--code", invitation(for: identity)], at: server, pin: pin,
            identity: identity, store: store, account: account)
        try #require(run.status == 0, "\(run.all)")
    }

    /// Has the enrollment name another address of the server, and forget the settings.
    func redirect(to server: any ServerAddress, from former: String? = nil) throws {
        let text = try String(contentsOfFile: record, encoding: .utf8)
        try write(text.replacing(former ?? url, with: server.url), to: "/store/users/\(account).json")
        try? FileManager.default.removeItem(atPath: store + "/cache")
    }

    // MARK: PAM

    /// - Parameter method: the tests run in no login session, so logins count as remote.
    func module(
        _ options: String = "", method: String = "method=pin", at server: (any ServerAddress)? = nil
    ) -> String {
        let server = server ?? self
        let authority = server.authority.map { "ca_file=\($0)" } ?? ""
        return "\(Products.module) \(method) conf=\(directory)/mpin.conf store=\(store) server=\(server.url) "
            + "\(authority) \(options)"
    }

    func service(_ name: String, _ module: String) throws {
        let lines = ["auth", "account", "password", "session"].map { "\($0) required \(module)\n" }.joined()
        try Data(lines.utf8).write(to: URL(fileURLWithPath: directory + "/pam.d/" + name))
    }

    func service(_ name: String, at server: any ServerAddress) throws { try service(name, module(at: server)) }

    /// Calls libpam as a program of the account's own would.
    func pam(
        _ phases: String..., service: String = "mpin", user: String? = nil, typing: [String] = [],
        environment: [String: String] = [:]
    ) throws -> Run {
        let environment = PAMText.wrapper(directory + "/pam.d").merging(environment) { $1 }
        let arguments = [service, user ?? account] + phases
        guard typing.count > 1 else {
            return try Run(
                "/usr/bin/pamtester", arguments, input: typing.map { $0 + "\n" }.joined(), environment: environment)
        }
        // At a terminal like a person: a last try cannot be confirmed within 250 ms of its prompt.
        let terminal = try Terminal(
            ["/usr/bin/env"] + environment.map { "\($0)=\($1)" } + ["/usr/bin/pamtester"] + arguments)
        for answer in typing where terminal.asks() { terminal.type(answer) }
        return Run(status: terminal.end() ?? -1, output: terminal.screen)
    }
}

/// The message of pamtester for each return code of libpam.
enum PAMText {
    /// The environment in which libpam finds its services in a directory.
    static func wrapper(_ directory: String) -> [String: String] {
        ["LD_PRELOAD": "libpam_wrapper.so", "PAM_WRAPPER": "1", "PAM_WRAPPER_SERVICE_DIR": directory]
    }

    static let success = "successfully authenticated"
    static let authError = "Authentication failure"
    static let maxTries = "Have exhausted maximum number of retries for service"
    static let unavailable = "Authentication service cannot retrieve authentication info"
    static let unknownUser = "User not known to the underlying authentication module"
    static let systemError = "System error"
    static let serviceError = "Error in service module"
}

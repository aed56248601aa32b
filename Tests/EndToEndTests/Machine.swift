// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// A server, a store and PAM services in a directory of their own: one machine that is its own server.
final class Machine: @unchecked Sendable {
    let directory: String
    let account: String
    private var server: Process?

    /// - Parameter maximum: how many wrong PINs the server accepts.
    init(maximum: Int? = nil) throws {
        account = String(cString: getpwuid(getuid()).pointee.pw_name)
        directory = "/tmp/mpin-\(UUID().uuidString.prefix(8))"
        for name in ["", "/pam.d"] {
            try FileManager.default.createDirectory(
                atPath: directory + name, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        }
        try write("", to: "/mpin.conf")
        try service("mpin", module())
        try service("other", "pam_deny.so")
        let initialized = try Run(Products.server, ["init", "--dir", directory + "/server"])
        try #require(initialized.status == 0, "\(initialized.errors)")
        if let maximum { try write("max_invalid_login_attempts = \(maximum)\n", to: "/server/server.conf") }
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Where the server listens from its next start.
    var socketName = "/s.sock"
    var socket: String { directory + socketName }
    var store: String { directory + "/store" }
    var record: String { store + "/users/\(account).json" }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory + name))
        chmod(directory + name, 0o600)
    }

    // MARK: The server

    func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Products.server)
        process.arguments = ["serve", "--dir", directory + "/server", "--listen", "unix:" + socket]
        let ready = Run.pipe()
        process.standardOutput = ready
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = ready.fileHandleForReading.availableData
        try #require(String(decoding: line, as: UTF8.self).contains("ready"), "the server did not start")
        server = process
    }

    /// Ends the server as a power failure would.
    func kill() {
        guard let server else { return }
        Glibc.kill(server.processIdentifier, SIGKILL)
        server.waitUntilExit()
        self.server = nil
    }

    /// Suspends the server, and resumes it.
    func pause() { if let server { Glibc.kill(server.processIdentifier, SIGSTOP) } }
    func resume() { if let server { Glibc.kill(server.processIdentifier, SIGCONT) } }

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

    func enroll(_ command: String, _ arguments: String..., pin: String? = nil, identity: String = "alice") throws -> Run
    {
        try enroll(command, options: arguments, pin: pin, identity: identity)
    }

    func enroll(
        _ command: String, options arguments: [String], pin: String? = nil, identity: String = "alice"
    ) throws -> Run {
        try Run(
            Products.enroll,
            [command] + arguments + [
                "--store", store, "--server", "unix:" + socket, "--user", account, "--identity", identity,
                "--config", directory + "/mpin.conf", "--no-input",
            ] + (pin == nil ? [] : ["--pin-file", "-"]), input: pin)
    }

    /// The arguments of a call that may ask the person at the terminal.
    func call(_ command: String, _ arguments: String..., identity: String = "alice") -> [String] {
        [command] + arguments + [
            "--store", store, "--server", "unix:" + socket, "--user", account, "--identity", identity, "--config",
            directory + "/mpin.conf",
        ]
    }

    func register(pin: String = "4962") throws {
        let run = try enroll("register", "--code", invitation(), pin: pin)
        try #require(run.status == 0, "\(run.errors)")
    }

    // MARK: PAM

    /// - Parameter method: the tests run in no login session, so logins count as remote.
    func module(_ options: String = "", method: String = "method=pin") -> String {
        "\(Products.module) \(method) conf=\(directory)/mpin.conf store=\(store) server=unix:\(socket) \(options)"
    }

    func service(_ name: String, _ module: String) throws {
        let lines = ["auth", "account", "password", "session"].map { "\($0) required \(module)\n" }.joined()
        try Data(lines.utf8).write(to: URL(fileURLWithPath: directory + "/pam.d/" + name))
    }

    /// Calls libpam as a program of the account's own would.
    func pam(
        _ phases: String..., service: String = "mpin", user: String? = nil, typing: [String] = [],
        environment: [String: String] = [:]
    ) throws -> Run {
        let environment = [
            "LD_PRELOAD": "libpam_wrapper.so", "PAM_WRAPPER": "1", "PAM_WRAPPER_SERVICE_DIR": directory + "/pam.d",
        ].merging(environment) { $1 }
        let arguments = [service, user ?? account] + phases
        guard typing.count > 1 else {
            return try Run(
                "/usr/bin/pamtester", arguments, input: typing.map { $0 + "\n" }.joined(), environment: environment)
        }
        // Like a person: a last try cannot be confirmed within 250 ms.
        let answers = typing.map { "printf '%s\\n' '\($0)'" }.joined(separator: "; sleep 1; ")
        return try Run(
            "/bin/sh", ["-c", "{ \(answers); } | pamtester \"$@\"", "sh"] + arguments, environment: environment)
    }
}

/// The message of pamtester for each return code of libpam.
enum PAMText {
    static let success = "successfully authenticated"
    static let authError = "Authentication failure"
    static let maxTries = "Have exhausted maximum number of retries for service"
    static let unavailable = "Authentication service cannot retrieve authentication info"
    static let unknownUser = "User not known to the underlying authentication module"
    static let systemError = "System error"
    static let serviceError = "Error in service module"
    static let conversation = "Conversation error"
}

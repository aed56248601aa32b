// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A machine on which root is the user of ssh, with a home directory and a directory of the login session that exist only
/// for the programs of one test.
final class SSHLaptop {
    let machine: Machine
    private var hasSession: Bool

    /// - Parameters:
    ///   - hasSession: whether the system has a directory of the login session.
    ///   - isGranted: whether the server lets alice log in over ssh; nil for a server without a CA for ssh.
    init(hasSession: Bool = true, isGranted: Bool? = true, maximum: Int? = nil) throws {
        self.hasSession = hasSession
        machine = try Machine.enrolled(maximum: maximum)
        for name in ["/home", "/run", "/run/0"].dropLast(hasSession ? 0 : 1) {
            try #require(mkdir(machine.directory + name, 0o700) == 0)
        }
        guard let isGranted else { return }
        let enabled = try machine.administer("ssh", "enable")
        try #require(enabled.status == 0, "\(enabled.all)")
        if isGranted { try allow() }
    }

    /// From now on, logins have no directory of the session.
    func endSession() throws {
        try #require(rename(machine.directory + "/run/0", machine.directory + "/ended") == 0)
        hasSession = false
    }

    func beginSession() throws {
        try #require(rename(machine.directory + "/ended", machine.directory + "/run/0") == 0)
        hasSession = true
    }

    func allow() throws {
        let allowed = try machine.administer("ssh", "allow", "alice")
        try #require(allowed.status == 0, "\(allowed.all)")
    }

    var home: String { machine.directory + "/home" }
    var config: String { home + "/.ssh/config" }
    var included: String { home + "/.ssh/mpin.conf" }
    var files: String { hasSession ? machine.directory + "/run/0/mpin" : home + "/.ssh" }
    var key: String { files + "/id_mpin" }
    var certificate: String { files + "/id_mpin-cert.pub" }

    /// A call of a program on this laptop.
    func call(_ words: [String]) -> [String] {
        Launcher.covering([("/root", home), ("/run/user", machine.directory + "/run")])
            + ["/usr/bin/env", "PATH=\(Products.directory):/usr/bin:/bin"] + words
    }

    /// The call of `mpin-enroll ssh`.
    func ssh(_ options: [String]) -> [String] { call([Products.enroll] + machine.call("ssh", options: options)) }

    /// Runs `mpin-enroll ssh` without a terminal.
    func run(_ options: String..., pin: String? = nil, environment: [String: String] = [:]) throws -> Run {
        try Run(
            ["/usr/bin/setsid", "--wait"] + ssh(options + (pin == nil ? [] : ["--pin-file", "-"])), input: pin,
            environment: environment)
    }

    /// Runs a command without options of the machine, such as one that changes only the configuration of ssh.
    func plain(_ words: String...) throws -> Run {
        try Run(["/usr/bin/setsid", "--wait"] + call([Products.enroll, "ssh"] + words))
    }

    func terminal(_ options: String...) throws -> Terminal { try Terminal(ssh(options)) }

    func write(_ text: String, to path: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
    }

    func text(_ path: String) -> String? {
        (try? Data(contentsOf: URL(fileURLWithPath: path))).map { String(decoding: $0, as: UTF8.self) }
    }

    func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    static func keygen(_ arguments: String...) throws -> String {
        let run = try Run("/usr/bin/ssh-keygen", arguments)
        try #require(run.status == 0, "\(run.all)")
        return run.output
    }

    /// Makes the user's key, and a certificate of it that ssh-keygen signs with a CA of its own.
    ///
    /// - Parameter validity: as of `ssh-keygen -V`.
    func sign(_ validity: String, options: String...) throws {
        let ca = machine.directory + "/ca-\(UUID().uuidString.prefix(8))"
        _ = try Self.keygen("-q", "-t", "ecdsa", "-N", "", "-f", ca)
        if text(key) == nil {
            try write("", to: key)
            unlink(key)
            _ = try Self.keygen("-q", "-t", "ed25519", "-N", "", "-f", key)
        }
        let signed = try Run(
            "/usr/bin/ssh-keygen",
            ["-q", "-s", ca, "-I", "test", "-n", "alice,bob", "-V", validity, "-z", "7"] + options + [key + ".pub"])
        try #require(signed.status == 0, "\(signed.all)")
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// This machine with its own copies of the files that doctor checks and pam changes. All changes end with it.
final class SpareMachine {
    static let account = "mpintest"
    static let password = "correct-Horse-7"
    private static let security = "/lib/x86_64-linux-gnu/security"
    /// What is copied, and covered by its copy.
    private static let copied = ["/etc", security, "/usr/share/pam-configs", "/var/lib/pam", "/var/cache/debconf"]
    /// What begins empty; the store of this machine, which doctor must not look at, where there is one. The kernel's
    /// directories say whether AppArmor runs.
    private static let empty: [String] =
        ["/usr/lib/pam.d", "/sys/kernel/security"]
        + (access("/var/lib/mpin", F_OK) == 0 ? ["/var/lib/mpin"] : [])

    let machine: Machine
    /// Other users' programs, for as long as this is there.
    var strangers: [Background] = []

    static let isPossible: Bool = {
        guard PrivateSystem.isPossible else { return false }
        let missing = (copied + empty).first { access($0, F_OK) != 0 }
        if let missing { print("note: \(missing) is missing, and the tests that need it are left out") }
        return missing == nil
    }()

    /// - Parameters:
    ///   - isEnrolled: whether the account can log in with its PIN.
    ///   - sudo: the content of the service's file.
    ///   - sudoLogin: the content of the file for `sudo -i`; `nil` for a sudo that uses one service for both.
    init(
        isEnrolled: Bool = true, sudo: String = "@include common-auth\n@include common-account\n",
        sudoLogin: String? = nil
    ) throws {
        machine = try Machine()
        for directory in Self.copied {
            let run = try Run(
                "/bin/sh", ["-c", "mkdir -p \"$2\" && cp -a \"$1/.\" \"$2\"", "sh", directory, place(directory)])
            try #require(run.status == 0, "\(run.all)")
        }
        for directory in Self.empty {
            try #require(try Run("/bin/mkdir", ["-p", "-m", "0700", place(directory)]).status == 0)
        }
        let hash = try Run("/usr/bin/openssl", ["passwd", "-6", Self.password]).output
        try append("\(Self.account):x:63999:65534::/nonexistent:/bin/sh\n", to: "/etc/passwd")
        try append(
            "\(Self.account):\(hash.trimmingCharacters(in: .newlines)):20000:0:99999:7:::\n", to: "/etc/shadow")
        try put(sudo, at: "/etc/pam.d/sudo")
        unlink(place("/etc/pam.d/sudo-i"))
        if let sudoLogin { try put(sudoLogin, at: "/etc/pam.d/sudo-i") }
        try #require(try Run("/bin/mkdir", ["-p", place("/etc/mpin")]).status == 0)
        try put("server = unix:\(machine.socket)\nstore = \(machine.store)\n", at: "/etc/mpin/mpin.conf")
        try #require(try Run("/bin/cp", [Products.module, place(Self.security) + "/pam_mpin.so"]).status == 0)
        if isEnrolled { try requireRegistration() }
    }

    /// The path of a file of this machine, seen from outside it.
    func place(_ path: String) -> String { machine.directory + "/root" + path }

    var module: String { Self.security + "/pam_mpin.so" }

    func put(_ text: String, at path: String, mode: mode_t = 0o644) throws {
        let directory = URL(fileURLWithPath: place(path)).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: place(path)))
        try #require(chmod(place(path), mode) == 0)
    }

    func append(_ text: String, to path: String) throws { try put(read(path) + text, at: path) }

    func read(_ path: String) throws -> String { try String(contentsOfFile: place(path), encoding: .utf8) }

    func data(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: place(path))) }

    /// The findings of doctor whose message contains a text.
    func findings(_ text: String = "", _ more: String...) throws -> [[String: Any]] {
        let run = try run([Products.enroll, "doctor", "--json"] + more)
        let checks = try #require(try run.json()["checks"] as? [[String: Any]], "\(run.all)")
        return checks.filter { text.isEmpty || ($0["message"] as? String ?? "").contains(text) }
    }

    func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    func requireRegistration() throws {
        let run = try register()
        try #require(run.status == 0, "\(run.all)")
    }

    /// Enrolls an account of this machine.
    func register(_ identity: String = "alice", user: String = SpareMachine.account, pin: String = "4962") throws -> Run
    {
        try enroll(
            "register", "--code", machine.invitation(for: identity), "--user", user, "--identity", identity,
            "--no-input", "--pin-file", machine.pinFile(pin))
    }

    /// Tests a PIN of the account.
    func test(_ pin: String) throws -> Run {
        try enroll("test", "--user", Self.account, "--no-input", "--pin-file", machine.pinFile(pin))
    }

    /// Blocks the enrollment of the account.
    func block() throws { for pin in ["1111", "2222", "3333"] { _ = try test(pin) } }

    private var inside: [String] {
        let mounts = (Self.copied + Self.empty).map { "mount --bind \(place($0)) \($0)" }
        return Launcher.namespace(mounts.joined(separator: " && "))
    }

    func run(_ words: [String], typing: String? = nil, environment: [String: String] = [:]) throws -> Run {
        try Run(inside + words, input: typing, environment: environment)
    }

    func enroll(_ words: String..., environment: [String: String] = [:]) throws -> Run {
        try run([Products.enroll] + words, environment: environment)
    }

    /// Runs mpin-enroll at a terminal.
    func terminal(_ words: String...) throws -> Terminal { try terminal(["/usr/bin/env"] + words) }

    func terminal(_ words: [String]) throws -> Terminal { try Terminal(inside + words) }

    /// Logs the account in through a service, as a program at the console would.
    func logIn(_ service: String = "sudo", typing: String...) throws -> Bool {
        try run(
            ["/usr/bin/pamtester", "-I", "tty=tty1", service, Self.account, "authenticate", "acct_mgmt"],
            typing: typing.map { $0 + "\n" }.joined()
        ).status == 0
    }
}

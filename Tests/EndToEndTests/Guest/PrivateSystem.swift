// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// This machine with an account, services and sudo rules that exist only in one mount namespace.
struct PrivateSystem {
    static let account = "mpintest"
    static let password = "correct-Horse-7"
    private static let uid = 63_999
    private static let services = ["su", "su-l", "sudo", "sshd", "doas", "login", "gdm-password", "lightdm", "openvpn"]

    let machine: Machine
    /// Our files that cover files outside /etc, by the names they cover.
    private let covered: [(name: String, by: String)]

    /// Whether such a system can be made here; prints once why not.
    static let isPossible: Bool = {
        guard isRoot else { return false }
        let programs = ["/usr/bin/su", "/usr/bin/sudo", "/usr/bin/unshare", "/usr/bin/setsid", "/usr/bin/setpriv"]
        if let missing = programs.first(where: { access($0, X_OK) != 0 }) {
            print("note: \(missing) is missing, and the tests that need it are left out")
            return false
        }
        let tried = try? Run(
            "/usr/bin/unshare", ["-m", "--propagation", "private", "/bin/mount", "--bind", "/tmp", "/mnt"])
        if tried?.status == 0 { return true }
        print("note: a mount namespace is not permitted here, and the tests that need one are left out")
        return false
    }()

    /// - Parameters:
    ///   - enrollsRoot: whether root is enrolled too, with the same PIN.
    ///   - stack: the auth lines of su and sudo, with MODULE for the module and its options.
    ///   - method: the option for logins that are not local, which those of the tests are.
    ///   - maximum: how many wrong PINs the server takes.
    ///   - covered: makes further files in a directory, and returns what they cover.
    init(
        stack: String, method: String = "method=pin", maximum: Int? = nil, enrollsRoot: Bool = false,
        covering covered: (_ directory: String) throws -> [(name: String, by: String)] = { _ in [] }
    ) throws {
        machine = try Machine(maximum: maximum)
        self.covered = try covered(machine.directory)
        let etc = machine.directory + "/etc"
        for name in ["", "/pam.d", "/sudoers.d"] {
            try #require(mkdir(etc + name, 0o755) == 0)
        }
        let lines =
            stack.replacingOccurrences(of: "MODULE", with: machine.module(method: method))
            + "\naccount required pam_permit.so\nsession required pam_permit.so\n"
        for name in Self.services { try put(lines, "/etc/pam.d/" + name, 0o644) }
        try put("auth required pam_deny.so\naccount required pam_deny.so\n", "/etc/pam.d/other", 0o644)
        let passwords = try Run("/usr/bin/openssl", ["passwd", "-6", Self.password]).output
        try put(
            String(contentsOfFile: "/etc/passwd", encoding: .utf8)
                + "\(Self.account):x:\(Self.uid):65534::/nonexistent:/bin/sh\n"
                + "sshd:x:63998:65534::/run/sshd:/usr/sbin/nologin\n", "/etc/passwd", 0o644)
        try put(
            String(contentsOfFile: "/etc/shadow", encoding: .utf8)
                + "\(Self.account):\(passwords.trimmingCharacters(in: .newlines)):20000:0:99999:7:::\n",
            "/etc/shadow", 0o600)
        try put(
            """
            Defaults timestamp_timeout=0, passwd_tries=3, !lecture
            Defaults:nobody targetpw
            Defaults:daemon rootpw
            \(Self.account) ALL=(ALL) ALL
            nobody ALL=(ALL) ALL
            daemon ALL=(ALL) ALL

            """, "/etc/sudoers", 0o440)
        try register(Self.account, as: "alice")
        if enrollsRoot { try register("root", as: "carol") }
    }

    private func put(_ text: String, _ name: String, _ mode: mode_t) throws {
        try machine.write(text, to: name)
        try #require(chmod(machine.directory + name, mode) == 0)
    }

    private func register(_ account: String, as identity: String) throws {
        // The account is known inside only, and the program insists on one that exists.
        let code = try machine.invitation(for: identity)
        let run = try self.run(
            [Products.enroll] + machine.call("register", "--code", code, identity: identity, account: account)
                + ["--no-input", "--pin-file", machine.pinFile("4962")])
        try #require(run.status == 0, "\(run.all)")
    }

    /// Mounts our files over the machine's.
    private var inside: [String] {
        let own = ["pam.d", "passwd", "shadow", "sudoers", "sudoers.d"].map {
            (name: "/etc/" + $0, by: machine.directory + "/etc/" + $0)
        }
        return Launcher.namespace((own + covered).map { "mount --bind \($0.by) \($0.name)" }.joined(separator: " && "))
    }

    /// A command of the account, or of another user, at a terminal.
    func terminal(asStranger: Bool = false, _ command: String...) throws -> Terminal {
        let uid = asStranger ? 65_534 : Self.uid
        return try Terminal(inside + Launcher.user(uid) + command)
    }

    /// A command of root's, at a terminal.
    func root(_ command: String...) throws -> Terminal {
        try Terminal(inside + command)
    }

    /// A command of root's without a terminal.
    func run(_ command: String..., typing: [String] = []) throws -> Run { try run(command, typing: typing) }

    func run(_ command: [String], typing: [String] = []) throws -> Run {
        try Run(inside + command, input: typing.map { $0 + "\n" }.joined())
    }

    func sudo() throws -> Terminal { try terminal("/usr/bin/sudo", "/bin/echo", "GOT", "IN") }

    /// su by another user.
    func su() throws -> Terminal { try terminal(asStranger: true, "/usr/bin/su", Self.account, "-c", "echo GOT IN") }

    /// su by the account's own user, who may use the PIN.
    func ownSu() throws -> Terminal { try terminal("/usr/bin/su", Self.account, "-c", "echo GOT IN") }
}

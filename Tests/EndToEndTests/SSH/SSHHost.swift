// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A host that users enter over ssh: a real sshd, with accounts and a configuration that exist only in a mount namespace.
final class SSHHost {
    /// The shells that must understand the host script.
    static let shells = ["dash", "busybox"]

    /// What sshd_config contains on Debian before anyone changes it.
    static let include = "Include /etc/ssh/sshd_config.d/*.conf\n"

    private let directory = "/tmp/mpin-host-\(UUID().uuidString.prefix(8))"
    private let setUp: String

    /// - Parameters:
    ///   - shell: one of `shells`, which runs the host script.
    ///   - accounts: further lines of /etc/passwd.
    ///   - main: sshd_config, without the lines that only the test needs.
    init(_ shell: String = "dash", accounts: String = "", main: String = include) throws {
        try #require(FileManager.default.isExecutableFile(atPath: "/usr/bin/" + shell))
        let sshd = try #require(Products.sshd), port = Int.random(in: 20_000..<30_000)
        // The applets of Busybox also replace sed, awk, grep and mv, as on Alpine.
        let applets = "mkdir /run/bin && busybox --install -s /run/bin && export PATH=/run/bin:$PATH"
        setUp = """
            mount --bind \(directory)/ssh /etc/ssh && mount --bind \(directory)/passwd /etc/passwd &&
            mount --bind \(directory)/shadow /etc/shadow && mount -t tmpfs none /run || exit 9
            export PATH=\(directory)/bin:\(sshd.dropLast("/sshd".count)):/usr/bin:/bin
            \(shell == "busybox" ? applets : ":") || exit 9
            cd \(directory)
            host() { \(shell == "busybox" ? "busybox sh" : shell) mpin-host.sh "$@"; }
            listens() { for i in $(seq 100); do [ -e /run/sshd.pid ] && return; sleep 0.1; done; exit 9; }
            start() { mkdir -p /run/sshd; rm -f log; \(sshd) -D -E $PWD/log & server=$!; trap 'kill $server' EXIT; listens; }
            login() { ssh -F none -i keys/$1 -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=no \\
                -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -p \(port) "$2@127.0.0.1" 'echo "IN AS $(id -u)"' 2>>ssh.log || echo refused; }

            """
        for name in ["", "/ssh", "/ssh/sshd_config.d", "/keys"] { try #require(mkdir(directory + name, 0o755) == 0) }
        let passwd = """
            root:x:0:0::/:/bin/sh
            alice:x:63999:65534::/:/bin/sh
            bob:x:63998:65534::/:/bin/sh
            sshd:x:63997:65534::/:/bin/false
            daemon:x:1:1::/:/bin/false

            """ + accounts
        let shadow = passwd.split(separator: "\n").map { "\($0.prefix { $0 != ":" }):*:20000:0:99999:7:::\n" }
        try write(passwd, to: "passwd")
        try write(shadow.joined(), to: "shadow")
        try write("Port \(port)\nListenAddress 127.0.0.1\nHostKey /etc/ssh/host\n" + main, to: "ssh/sshd_config")
        try makeKey("ssh/host")
        try makeKey("keys/ca", type: "ecdsa")
        let script = try String(
            contentsOf: Products.repository.appendingPathComponent("Sources/mpin-server/SSH/mpin-host.sh"),
            encoding: .utf8)
        try write(script.replacing("@CA@", with: ca), to: "mpin-host.sh")
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// The line with the key that the host script makes sshd trust.
    var ca: String {
        get throws { try read("keys/ca.pub").trimmingCharacters(in: .newlines) }
    }

    var fingerprint: String {
        get throws {
            let shown = try Run("/usr/bin/ssh-keygen", ["-lf", directory + "/keys/ca.pub"]).output
            return String(try #require(shown.split(separator: " ").dropFirst().first))
        }
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory + "/" + name))
        chmod(directory + "/" + name, name.hasPrefix("keys/") || name == "ssh/host" ? 0o600 : 0o644)
    }

    func read(_ name: String) throws -> String {
        try String(contentsOfFile: directory + "/" + name, encoding: .utf8)
    }

    /// The files below /etc/ssh, with what they contain.
    func files() throws -> [String: String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: directory + "/ssh").filter {
            $0 != "sshd_config.d"
        }
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try read("ssh/" + $0)) })
    }

    func makeKey(_ name: String, type: String = "ed25519") throws {
        let run = try Run(
            "/usr/bin/ssh-keygen", ["-q", "-t", type, "-N", "", "-C", name, "-f", directory + "/" + name])
        try #require(run.status == 0, "\(run.all)")
    }

    /// Makes the CA key with which another host script is filled in, next.sh.
    func makeNextKey() throws {
        try makeKey("keys/next", type: "ecdsa")
        let next = try read("keys/next.pub").trimmingCharacters(in: .newlines)
        try write(read("mpin-host.sh").replacing(ca, with: next), to: "next.sh")
    }

    /// Puts a program of this name before those of the host script.
    func replace(_ program: String, with script: String) throws {
        try #require(mkdir(directory + "/bin", 0o755) == 0)
        try write("#!/bin/sh\n" + script, to: "bin/" + program)
        chmod(directory + "/bin/" + program, 0o755)
    }

    /// Makes a key whose certificate names these accounts.
    func certify(_ name: String, for accounts: String, by authority: String = "ca") throws {
        try makeKey("keys/" + name)
        let run = try Run(
            "/usr/bin/ssh-keygen",
            ["-q", "-s", "\(directory)/keys/\(authority)", "-I", "alice/1/laptop", "-n", accounts, "-V", "-5m:+8h"]
                + ["\(directory)/keys/\(name).pub"])
        try #require(run.status == 0, "\(run.all)")
    }

    /// Runs a shell script on the host, as root. Its functions: `host` runs the host script, `start` starts sshd until the
    /// end, and `login KEY ACCOUNT` is one by ssh.
    func run(_ script: String) throws -> Run {
        try Run("/usr/bin/unshare", ["-m", "--propagation", "private", "/bin/sh", "-c", setUp + script])
    }

    /// What a failed run tells the user to type.
    static func commands(of run: Run) -> String {
        let lines = run.errors.split(separator: "\n").drop { $0 != "Run, then try again:" }.dropFirst()
        #expect(!lines.isEmpty, "\(run.all)")
        return lines.joined(separator: "\n")
    }

    /// Starts sshd after such a script. It runs until the result is released.
    func start(after script: String) throws -> Background {
        let namespaces = ["-m", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc"]
        let sshd = try Background(
            ["/usr/bin/unshare"] + namespaces + ["/bin/sh", "-c", "\(setUp)\(script)\nstart; echo ready; cat"])
        try sshd.requireLine("ready")
        return sshd
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Commands that run the command after them in other circumstances.
enum Launcher {
    /// As another user, who has only their own group or that of `nogroup`.
    static func user(_ user: Int, group: Int = 65_534) -> [String] {
        ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(group)", "--clear-groups"]
    }

    static let nobody = user(65_534)

    /// In a mount namespace of its own, after shell commands.
    static func namespace(_ commands: String, _ options: String...) -> [String] {
        ["/usr/bin/unshare", "-m", "--propagation", "private"] + options
            + ["/bin/sh", "-c", commands + " && exec \"$@\"", "sh"]
    }

    /// In a mount namespace where files cover others.
    static func covering(_ places: [(name: String, by: String)]) -> [String] {
        namespace(
            places.map { "{ [ -e \($0) ] || mkdir -p \($0); } && mount --bind \($1) \($0)" }.joined(separator: " && "))
    }

    /// With its output redirected.
    static func redirecting(_ redirection: String) -> [String] {
        ["/bin/sh", "-c", "exec \"$@\" \(redirection)", "sh"]
    }

    /// With faults injected into system calls.
    static func strace(_ injection: String, _ options: String...) -> [String] {
        strace(injection, options: options)
    }

    static func strace(_ injection: String, options: [String]) -> [String] {
        ["/usr/bin/strace", "-f", "-qq", "-o", "/dev/null"] + options + ["-e", "inject=" + injection]
    }

    /// Whether system calls can be traced; prints once why not.
    static let canTrace: Bool = {
        let tried = try? Run("/usr/bin/strace", ["-f", "-qq", "-o", "/dev/null", "/bin/true"])
        if tried?.status == 0 { return true }
        print("note: strace is missing or not permitted here, and the tests that need it are left out")
        return false
    }()

    /// While another program has a lock.
    static func locking(_ file: String) -> [String] { ["/usr/bin/flock", file] }
}

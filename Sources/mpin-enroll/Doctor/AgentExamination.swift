// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPinConfiguration
import SystemFiles

/// Checks the agent, which serves programs that may not read the store.
struct AgentExamination {
    let findings: [Finding]
    /// Whether a service that asks for the PIN needs the agent, but cannot use it.
    let isMissed: Bool

    /// Services whose programs run as their user.
    private static let unprivileged = [
        "swaylock", "i3lock", "hyprlock", "gtklock", "waylock", "kde", "kscreensaver", "xscreensaver", "xlock", "vlock",
        "physlock", "polkit-1",
    ]

    /// - Parameter services: the services that ask for the PIN.
    init(_ configuration: Configuration, services: [String]) {
        let path = configuration.text(of: .agent)
        let needing = services.filter { AgentExamination.unprivileged.contains($0) }
        let finding = AgentExamination.finding(path, needing)
        (findings, isMissed) = ([finding], finding.grade != .ok && !needing.isEmpty)
    }

    private static func finding(_ path: String, _ needing: [String]) -> Finding {
        let names = needing.joined(separator: ", ")
        guard path != "none", !path.isEmpty, let facts = FileFacts(of: path) else {
            guard !needing.isEmpty else { return Finding("agent", .ok, "No agent runs, and no service needs one.") }
            return Finding(
                "agent", .warning, "No agent runs, so these services ask for the password: \(names).",
                advice: Advice("Start it: sudo systemctl enable --now mpin-agent.socket"))
        }
        if let unsafe = unsafeDirectory(of: path) {
            return Finding(
                "agent", .fault,
                "\(unsafe) is writable by users other than root, so programs do not use the agent in it.",
                advice: Advice(
                    "Fix it: sudo chown root: \(CommonOptions.quoted(unsafe)) && sudo chmod 0755 "
                        + CommonOptions.quoted(unsafe)))
        }
        guard facts.isSocket, let owner = SocketOwner("unix:" + path, type: SOCK_SEQPACKET) else {
            return Finding(
                "agent", .fault, "The agent does not answer at \(path).",
                advice: Advice("Restart it: sudo systemctl restart mpin-agent.socket"))
        }
        guard owner.isRoot else {
            return Finding(
                "agent", .fault, "\(path) is served by \(owner.text), not by root, so programs do not use it.",
                advice: Advice("Delete the socket: sudo rm \(CommonOptions.quoted(path))"))
        }
        return Finding("agent", .ok, "The agent answers.")
    }

    /// The first directory on the path that a user other than root can change.
    static func unsafeDirectory(of path: String) -> String? {
        var directory = ""
        for part in path.split(separator: "/").dropLast() {
            directory += "/" + part
            guard let facts = FileFacts(target: directory) else { continue }
            if facts.owner != 0 || (facts.isWritableByOthers && !facts.isSticky) { return directory }
        }
        return nil
    }
}

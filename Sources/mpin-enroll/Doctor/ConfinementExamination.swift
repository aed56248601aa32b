import Glibc
import MPinConfiguration

/// What AppArmor and SELinux keep from the files and sockets of M-Pin, as far as that can be told beforehand.
struct ConfinementExamination {
    private(set) var findings: [Finding] = []

    /// What the kernel has loaded, for root.
    private static let loaded = "/sys/kernel/security/apparmor/profiles"
    private static let profiles = "/etc/apparmor.d"

    /// - Parameter services: those that ask for the PIN.
    init(_ configuration: Configuration, services: [String]) {
        if let text = ConfinementExamination.text("/sys/fs/selinux/enforce"), text.hasPrefix("1") {
            examineSELinux(services)
        }
        guard let text = ConfinementExamination.text(ConfinementExamination.loaded) else { return }
        let lines = text.split(separator: "\n")
        let enforced = lines.filter { $0.hasSuffix("(enforce)") }.map { String($0.prefix { $0 != " " }) }
        examineServer(Set(lines.map { String($0.prefix { $0 != " " }) }))
        for service in services { examine(service, enforced, configuration) }
    }

    private static func text(_ path: String) -> String? {
        // Files of the kernel's have no size.
        MachineFile.load(path).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: AppArmor

    /// The server's own profile, which its unit asks for where it is loaded.
    private mutating func examineServer(_ all: Set<String>) {
        let path = ConfinementExamination.profiles + "/mpin-server"
        guard MachineFile.status(path) != nil, !all.contains("mpin-server") else { return }
        findings.append(
            Finding(
                "confinement", .warning,
                "AppArmor has not loaded \(path), so mpin-server runs unconfined.",
                advice: Advice(
                    "Load it: sudo apparmor_parser -r \(path) && sudo systemctl restart mpin-server")))
    }

    /// A profile of the program that runs a service, which names nothing of M-Pin's.
    private mutating func examine(_ service: String, _ enforced: [String], _ configuration: Configuration) {
        let isMeant: (String) -> Bool = { $0.split(separator: "/").last.map(String.init) == service }
        guard let profile = enforced.first(where: isMeant), let file = ConfinementExamination.file(of: profile) else {
            return
        }
        let local = ConfinementExamination.profiles + "/local/" + (file.split(separator: "/").last ?? "")
        let rules = [file, local].compactMap(ConfinementExamination.text).joined()
        guard !rules.contains("mpin") else { return }
        let server = configuration.server.flatMap { $0.hasPrefix("unix:") ? String($0.dropFirst(5)) : nil }
        let wanted =
            ["/etc/mpin/** r,", "\(configuration.store)/** rwk,"]
            + [server, configuration.text(of: .agent)].compactMap { $0 }.filter { $0.hasPrefix("/") }.map {
                "\($0) rw,"
            }
        let lines = wanted.map(CommonOptions.quoted).joined(separator: " ")
        findings.append(
            Finding(
                "confinement", .warning,
                "AppArmor confines \(service) with \(file), which does not allow M-Pin, so it cannot ask for the PIN.",
                advice: Advice(
                    "Allow it: printf '%s\\n' \(lines) | sudo tee -a \(CommonOptions.quoted(local)) && sudo apparmor_parser -r "
                        + CommonOptions.quoted(file))))
    }

    /// The file of a profile: named like it, with dots for slashes, or the one that declares it.
    private static func file(of profile: String) -> String? {
        let name = profile.split(separator: "/").joined(separator: ".")
        let files = [name] + (MachineFile.names(in: profiles) ?? [])
        return files.map { profiles + "/" + $0 }.first { path in
            guard let text = text(path) else { return false }
            return path == profiles + "/" + name
                || text.contains("profile \(profile) ") || text.contains("\n\(profile) ")
        }
    }

    // MARK: SELinux

    /// Services whose programs SELinux's policies confine; sudo and su run as those who call them.
    private static let confined: Set<String> = [
        "sshd", "login", "remote", "gdm-password", "sddm", "lightdm", "xdm", "polkit-1", "cockpit", "vsftpd", "dovecot",
        "cups", "samba", "crond", "cron", "atd",
    ]

    /// Whether some policy of this machine has a module for M-Pin.
    private static var hasModule: Bool {
        for root in ["/var/lib/selinux", "/etc/selinux"] {
            for policy in MachineFile.names(in: root) ?? [] {
                for priority in ["100", "200", "300", "400"] {
                    let modules = MachineFile.names(in: "\(root)/\(policy)/active/modules/\(priority)") ?? []
                    if modules.contains(where: { $0.contains("mpin") }) { return true }
                }
            }
        }
        return false
    }

    private mutating func examineSELinux(_ services: [String]) {
        let names = services.filter { ConfinementExamination.confined.contains($0) }
        guard !names.isEmpty, !ConfinementExamination.hasModule else { return }
        findings.append(
            Finding(
                "confinement", .warning,
                "SELinux is enforcing and has no policy module for M-Pin, so these services may not reach the tokens or "
                    + "the server: \(names.joined(separator: ", ")).",
                advice: Advice(
                    "Try a login, then allow what was denied: "
                        + "sudo ausearch -m avc -ts recent | audit2allow -M mpin && sudo semodule -i mpin.pp")))
    }
}

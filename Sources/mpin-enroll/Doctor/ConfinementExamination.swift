// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPinConfiguration
import SystemFiles

/// Checks whether AppArmor confines a program that asks for the PIN.
struct ConfinementExamination {
    private(set) var findings: [Finding] = []

    private static let profiles = "/etc/apparmor.d"

    /// - Parameter services: the services that ask for the PIN.
    init(_ configuration: Configuration, services: [String]) {
        // Only root can read the loaded profiles: a line is NAME (MODE).
        guard let loaded = ConfinementExamination.text("/sys/kernel/security/apparmor/profiles") else { return }
        for line in loaded.split(separator: "\n") where line.hasSuffix(" (enforce)") {
            let profile = line.dropLast(" (enforce)".count).split(separator: "/")
            guard let service = profile.last.map(String.init), services.contains(service) else { continue }
            examine(service, profile.joined(separator: "."), configuration)
        }
    }

    private static func text(_ path: String) -> String? {
        SystemFile.load(path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Parameter name: the file of the program's profile. A profile that does not mention M-Pin does not allow it.
    private mutating func examine(_ service: String, _ name: String, _ configuration: Configuration) {
        let file = "\(ConfinementExamination.profiles)/\(name)",
            local = "\(ConfinementExamination.profiles)/local/\(name)"
        guard let rules = ConfinementExamination.text(file),
            !(rules + (ConfinementExamination.text(local) ?? "")).contains("mpin")
        else { return }
        let server = configuration.server.flatMap { $0.hasPrefix("unix:") ? String($0.dropFirst(5)) : nil }
        let sockets = [server, configuration.text(of: .agent)].compactMap { $0 }.filter { $0.hasPrefix("/") }
        let lines = (["/etc/mpin/** r,", "\(configuration.store)/** rwk,"] + sockets.map { "\($0) rw," })
            .map(CommonOptions.quoted).joined(separator: " ")
        findings.append(
            Finding(
                "confinement", .warning,
                "AppArmor confines \(service) with \(file), which does not allow M-Pin, so it cannot ask for the PIN.",
                advice: Advice(
                    "Allow it: printf '%s\\n' \(lines) | sudo tee -a \(CommonOptions.quoted(local)) "
                        + "&& sudo apparmor_parser -r \(CommonOptions.quoted(file))")))
    }
}

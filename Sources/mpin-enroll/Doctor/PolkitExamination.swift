import MPinConfiguration

/// polkit's helper, which systemd runs in a sandbox from polkit 127 on: whether it gets at the agent from there.
struct PolkitExamination {
    private(set) var findings: [Finding] = []

    private static let unit = "polkit-agent-helper@.service"

    init(_ configuration: Configuration) {
        let agent = configuration.text(of: .agent)
        guard agent.hasPrefix("/"), let settings = UnitSettings(PolkitExamination.unit) else { return }
        let remedies = PolkitExamination.remedies(settings, agent)
        guard !remedies.isEmpty else { return }
        let directory = CommonOptions.quoted("/etc/systemd/system/\(PolkitExamination.unit).d")
        let lines = (["[Service]"] + remedies).map(CommonOptions.quoted).joined(separator: " ")
        findings = [
            Finding(
                "agent", .fault,
                "\(PolkitExamination.unit) keeps polkit's helper from \(agent), so polkit-1 cannot ask for the PIN.",
                advice: Advice(
                    "Allow it: sudo mkdir -p \(directory) && printf '%s\\n' \(lines) | sudo tee \(directory)/mpin.conf "
                        + "&& sudo systemctl daemon-reload"))
        ]
    }

    /// The lines of a drop-in with which the helper gets at the socket; none where it does already.
    private static func remedies(_ settings: UnitSettings, _ agent: String) -> [String] {
        var lines: [String] = []
        if !allowsLocalSockets(settings.words("RestrictAddressFamilies")) {
            // The list begins anew.
            lines += ["RestrictAddressFamilies=", "RestrictAddressFamilies=AF_UNIX"]
        }
        let hidden = settings.words("InaccessiblePaths").filter { covers($0, agent) }
        if !hidden.isEmpty {
            lines.append("InaccessiblePaths=")
            lines += settings.words("InaccessiblePaths").filter { !covers($0, agent) }.map { "InaccessiblePaths=" + $0 }
        }
        let directory = String(MachineFile.directory(of: agent).dropLast())
        let isBound = (settings.words("BindPaths") + settings.words("BindReadOnlyPaths")).contains { covers($0, agent) }
        if !isBound, settings.words("TemporaryFileSystem").contains(where: { covers($0, agent) }) {
            lines.append("BindPaths=-" + directory)
        }
        return lines
    }

    /// Whether the list of address families has that of local sockets.
    private static func allowsLocalSockets(_ words: [String]) -> Bool {
        guard let first = words.first else { return true }
        if first.hasPrefix("~") { return !words.contains { $0 == "AF_UNIX" || $0 == "~AF_UNIX" || $0 == "AF_LOCAL" } }
        return words.contains { $0 == "AF_UNIX" || $0 == "AF_LOCAL" }
    }

    /// Whether a path of a list, with its signs and options, is that of the file or of a directory above it.
    private static func covers(_ word: String, _ file: String) -> Bool {
        let path = String(word.drop { $0 == "-" || $0 == "+" }.prefix { $0 != ":" })
        return path == "/" || file == path || file.hasPrefix(path.hasSuffix("/") ? path : path + "/")
    }
}

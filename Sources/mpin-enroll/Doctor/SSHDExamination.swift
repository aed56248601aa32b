// SPDX-License-Identifier: Apache-2.0

/// Checks whether sshd uses PAM and shows its prompts, if its stack asks for the PIN.
struct SSHDExamination {
    private(set) var findings: [Finding] = []

    init() {
        guard let settings = SSHDSettings() else { return }
        let pam = settings.value("usepam")
        // sshd's default is no; Debian's configuration file sets yes.
        guard pam?.value == "yes" else {
            findings = [finding("but sshd does not use PAM: UsePAM is no", "UsePAM yes", pam)]
            return
        }
        let prompts = settings.value("kbdinteractiveauthentication", "challengeresponseauthentication")
        guard prompts?.value == "no" else { return }
        findings = [
            finding(
                "but sshd shows no PAM prompts: KbdInteractiveAuthentication is no", "KbdInteractiveAuthentication yes",
                prompts)
        ]
    }

    private func finding(_ reason: String, _ wanted: String, _ setting: SSHDSettings.Setting?) -> Finding {
        let file = CommonOptions.quoted(setting?.file ?? SSHDSettings.path)
        // Replaces the line where it is, because sshd uses the first value that it reads.
        let edit = setting.map { "\($0.line)s/.*/\(wanted)/" } ?? "1i \(wanted)"
        return Finding(
            "stacks", .fault,
            "sshd's PAM stack asks for the PIN, \(reason)\(setting.map { ", in \($0.file) line \($0.line)" } ?? "").",
            advice: Advice("Fix it: sudo sed -i '\(edit)' \(file) && sudo systemctl reload ssh"))
    }
}

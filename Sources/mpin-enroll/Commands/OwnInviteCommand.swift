// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPinAgent
import QRCodes

struct OwnInviteCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Create a code to enroll another of your devices.")

    @OptionGroup var pin: PINOptions

    @Option(help: .value("time", "Lifetime of the code, 1m to 60m (default 15m).")) var ttl: Lifetime?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let ttl, !(60...3600 ~= ttl.seconds) { throw ValidationError("--ttl must be 1m to 60m.") }
    }

    func work() throws(CommandFailure) -> Report {
        let target = try TargetAccount(common)
        var answer = try target.logIn(
            "invite", ttl.map { String($0.seconds) } ?? "", common, PINDialog(pin.source(common, for: "invite")))
        let (code, expires) = (answer.values.text(), answer.values.text())
        try answer.require()
        let user = answer.registration
        var members = target.description(of: user)
        let isLocal = user.backend.hasPrefix("unix:")
        let invitation = isLocal ? code : user.backend.dropFirst("https://".count) + "/" + code
        members["code"] = code
        members["invitation"] = invitation
        members["expires"] = expires
        if !common.json {
            // On standard error, because standard output contains only the invitation.
            let there =
                "sudo mpin-enroll register --identity \(CommonOptions.quoted(user.identity))"
                + (isLocal ? " --server https://HOST" : "")
            let notes =
                [
                    "The code enrolls one more device of \(user.identity). It is \(Lifetime.text(until: expires)).",
                    isLocal ? "Another machine can use it only if this server also has an https address." : nil,
                    isLocal
                        ? "Run on that device: \(there)"
                        : "On that device, run this, and paste the invitation: \(there)",
                    "Keep the code secret: it lets its holder log in as \(user.identity).",
                ].compactMap { $0 } + answer.lines
            let display = Display(STDERR_FILENO)
            // With the invitation itself, and the prompt of the shell.
            let others = display.height(of: notes.joined(separator: "\n")) + 2
            if !isLocal, let picture = QRCode(invitation)?.text(on: display, linesElsewhere: others) {
                Terminal.show(picture + "\n")
            }
            for line in notes { Terminal.say(line) }
        }
        return Report(
            [invitation], members, isAnswer: true)
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPin
import MPinAgent

struct OneTimePasswordCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp", abstract: "Print a one-time password to type elsewhere.")

    @OptionGroup var pin: PINOptions
    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
        let target = try TargetAccount(common)
        var answer = try target.logIn("otp", "", common, PINDialog(pin.source(common, for: "otp")))
        let (status, password, seconds) = (answer.values.text(), answer.values.text(), answer.values.number())
        try answer.require()
        guard status == MPinStatus.ok.name else {
            throw CommandFailure(
                .protocolFault, status,
                "The PIN is right, but \(answer.registration.backend) issues no one-time passwords.",
                advice: Advice("Use the access number that the other session shows", "approve NUMBER"))
        }
        var members = target.description(of: answer.registration)
        members["otp"] = password
        members["ttlSeconds"] = seconds
        // The time uses this machine's clock, because some servers send their local time marked as UTC.
        members["expires"] = TargetAccount.text(time(nil) + seconds)
        // Standard output contains only the password.
        if !common.json { for line in answer.lines { Terminal.say(line) } }
        if !common.json, !common.quiet { Terminal.say("Valid for \(seconds) seconds.") }
        return Report([password], members, isAnswer: true)
    }
}

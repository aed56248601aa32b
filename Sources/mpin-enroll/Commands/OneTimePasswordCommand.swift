// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import FoundationEssentials
import Glibc
import MPin
import MPinAgent

struct OneTimePasswordCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp", abstract: "Print a one-time password to type elsewhere.",
        discussion: "Example: mpin-enroll otp --watch")

    @OptionGroup var pin: PINOptions
    @Flag(help: "Count down on the terminal until the password expires.") var watch = false
    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
        let target = try TargetAccount(common)
        var answer = try target.logIn("otp", "", common, PINDialog(pin.source(common, for: "otp")))
        let (status, password, seconds) = (answer.values.text(), answer.values.text(), answer.values.number())
        try answer.require()
        guard status == MPinStatus.ok.name.text else {
            throw CommandFailure(
                .protocolFault, status,
                "The PIN is right, but \(answer.registration.backend) issues no one-time passwords.",
                advice: Advice("Use the access number that the other session shows", "approve NUMBER"))
        }
        var members = target.description(of: answer.registration)
        members["otp"] = password
        members["ttlSeconds"] = seconds
        // The time uses this machine's clock, because some servers send their local time marked as UTC.
        members["expires"] = Date().addingTimeInterval(Double(seconds)).formatted(.iso8601)
        // Standard output contains only the password.
        if !common.json { for line in answer.lines { Terminal.say(line) } }
        var report = Report([password], members, isAnswer: true)
        report.epilogue = { if !common.quiet { Countdown(seconds: seconds, isWatched: watch).show() } }
        return report
    }
}

/// The validity of a one-time password: one line, or a countdown on a terminal.
struct Countdown {
    let seconds: Int
    /// Whether the countdown stays on the terminal until the password expires.
    let isWatched: Bool

    /// The time of day after so many seconds, UTC.
    static func time(in seconds: Int) -> String { Date(timeIntervalSinceNow: Double(seconds)).formatted(.iso8601) }

    /// Prints the line, or shows the countdown until it ends or the user presses Ctrl-C.
    func show() {
        guard isWatched, isatty(STDERR_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            Terminal.say("Valid for \(seconds) seconds.")
            return
        }
        // This clock continues while the machine is suspended, like the server's.
        let end = ContinuousClock.now + .seconds(seconds)
        while case let left = end - .now, left > .zero {
            let (whole, fraction) = left.components
            Terminal.show("\rValid for \(whole + (fraction > 0 ? 1 : 0)) s \u{1b}[K")
            usleep(250_000)
        }
        Terminal.show("\rNo longer valid.\u{1b}[K\n")
    }
}

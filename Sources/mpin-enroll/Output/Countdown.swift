// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

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

import FoundationEssentials
import Glibc

/// A countdown of the seconds that a one-time password is valid, on a terminal; elsewhere one line.
struct Countdown {
    let seconds: Int

    /// The time of day after so many seconds, UTC.
    static func time(in seconds: Int) -> String {
        Date(timeIntervalSinceNow: Double(seconds)).formatted(.iso8601)
    }

    /// Shows the countdown until it ends or the user presses Ctrl-C.
    func show() {
        if let person = ServedPerson.current { return person.countDown(seconds) }
        guard isatty(STDERR_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            Terminal.say("Valid for \(seconds) seconds.")
            return
        }
        // Goes on while the machine is suspended, as the server's clock does.
        let end = ContinuousClock.now + .seconds(seconds)
        while case let left = end - .now, left > .zero {
            let (whole, fraction) = left.components
            Terminal.show("\rValid for \(whole + (fraction > 0 ? 1 : 0)) s \u{1b}[K")
            usleep(250_000)
        }
        Terminal.show("\rNo longer valid.\u{1b}[K\n")
    }
}

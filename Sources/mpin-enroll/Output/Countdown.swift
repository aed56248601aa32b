import Glibc

/// The seconds that something still lives, on standard error where that is a terminal; once as a line elsewhere.
struct Countdown {
    let seconds: Int

    /// Shows it until the time is over or the person stops it.
    func show() {
        guard isatty(STDERR_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            Terminal.say("Valid for \(seconds) seconds.")
            return
        }
        var end = timespec()
        guard unsafe clock_gettime(CLOCK_BOOTTIME, &end) == 0 else { return }
        end.tv_sec += seconds
        while let left = left(until: end), left > 0 {
            Terminal.show("\rValid for \(left) s \u{1b}[K")
            usleep(250_000)
        }
        Terminal.show("\rNo longer valid.\u{1b}[K\n")
    }

    private func left(until end: timespec) -> Int? {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_BOOTTIME, &now) == 0 else { return nil }
        return end.tv_sec - now.tv_sec
    }
}

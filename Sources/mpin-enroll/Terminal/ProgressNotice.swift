import CTerminal
import Glibc
import MPin

/// What a person sees who has to wait for a server, or does not want to any more.
enum ProgressNotice {
    /// Is told by each transfer when it begins and ends.
    static let watch: @convention(c) @Sendable (Int32) -> Void = { begins in terminal_watch_transfer(begins) }

    /// From here on Ctrl-C ends the program at once, and says how to find out what was done until then; with one object on
    /// standard output where that was asked for.
    static func begin(_ options: CommonOptions) {
        let failure = CommandFailure(
            .cancelled, "CANCELED", "Interrupted.", advice: Advice("How things stand says", "status"))
        let lines = Report.lines(of: failure, options)
        let words = (options.json ? "" : "\n") + lines.joined(separator: "\n") + "\n"
        unsafe terminal_on_interrupt(options.json ? STDOUT_FILENO : STDERR_FILENO, words)
    }

    /// From here on everything is done, and Ctrl-C only leaves what is still shown.
    static func endQuietly() {
        unsafe terminal_on_interrupt(STDERR_FILENO, "\n")
    }

    /// Names the server in what is shown, at a terminal, when it takes long.
    static func name(_ server: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        unsafe terminal_set_notice("Contacting \(visible(server)) ...\n")
    }
}

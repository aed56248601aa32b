// SPDX-License-Identifier: Apache-2.0
import CTerminal
import Console
import Glibc
import MPin

/// The notice while the program waits for a server, and the message when the user interrupts it.
enum ProgressNotice {
    /// Called when a transfer begins (1) and ends (0).
    static let watch: @convention(c) @Sendable (Int32) -> Void = { begins in mpin_terminal_watch_transfer(begins) }

    /// Installs the handler for Ctrl-C, which exits at once with a hint how to find out what was done. With `--json`,
    /// it prints an object on standard output.
    ///
    /// - Parameter isContinued: whether standard output already has the beginning of that object.
    static func begin(_ options: CommonOptions, isContinued: Bool = false) {
        unsafe isQuiet = options.quiet
        let failure = CommandFailure(
            .canceled, "CANCELED", "Interrupted.", advice: Advice("Check the current state", "status")
        ).continued(isContinued)
        let lines = failure.lines(options)
        let words = (options.json ? "" : "\n") + lines.joined(separator: "\n") + "\n"
        unsafe mpin_terminal_on_interrupt(options.json ? STDOUT_FILENO : STDERR_FILENO, words)
    }

    nonisolated(unsafe) private static var isQuiet = false
    nonisolated(unsafe) private static var words: String?

    /// Sets the server's name in the notice that a terminal shows when a transfer takes longer than a second.
    static func name(_ server: String) {
        let host = server.split(separator: "://").last.map(String.init) ?? server
        unsafe words = "Waiting for \(visible(host)) ...\n"
        renew()
    }

    /// Shows the notice again if the next transfer takes long, because the user has answered a prompt since.
    static func renew() {
        guard isatty(STDERR_FILENO) == 1, unsafe !isQuiet, let words = unsafe words else { return }
        unsafe mpin_terminal_set_notice(words)
    }
}

import CTerminal
import Glibc
import MPin

/// What a person sees who has to wait for a server, or does not want to any more.
enum Patience {
    /// Is told by each transfer when it begins and ends.
    static let watch: @convention(c) @Sendable (Int32) -> Void = { begins in terminal_watch_transfer(begins) }

    /// From here on Ctrl-C ends the program at once, with one object on standard output where that was asked for.
    static func begin(json: Bool) {
        let object =
            #"{"error":{"code":"CANCELED","message":"Interrupted."},"ok":false,"schema":1}"# + "\n"
        unsafe terminal_on_interrupt(
            json ? STDOUT_FILENO : STDERR_FILENO, json ? object : "\nmpin-enroll: Interrupted.\n")
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

// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Blocks the signals that would end or stop the program while the terminal does not echo.
struct BlockedSignals: ~Copyable {
    private var previous = sigset_t()

    init() {
        var held = sigset_t()
        unsafe sigemptyset(&held)
        for signal in [SIGTERM, SIGHUP, SIGINT, SIGTSTP] { unsafe sigaddset(&held, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &held, &previous)
    }

    /// Whether a signal is pending that ends the program.
    var isPending: Bool { BlockedSignals.arePending([SIGTERM, SIGHUP, SIGINT]) }

    /// Whether SIGTSTP is pending.
    var isStopPending: Bool { BlockedSignals.arePending([SIGTSTP]) }

    /// Stops the process group, as the terminal does on Ctrl-Z, until SIGCONT.
    borrowing func stop() {
        var only = sigset_t()
        unsafe sigemptyset(&only)
        unsafe sigaddset(&only, SIGTSTP)
        let hasCome = isStopPending
        unsafe pthread_sigmask(SIG_UNBLOCK, &only, nil)
        if !hasCome { kill(0, SIGTSTP) }
        unsafe pthread_sigmask(SIG_BLOCK, &only, nil)
    }

    private static func arePending(_ signals: [Int32]) -> Bool {
        var pending = sigset_t()
        guard unsafe sigpending(&pending) == 0 else { return false }
        return signals.contains { unsafe sigismember(&pending, $0) == 1 }
    }

    /// Restores the signal mask; a pending signal takes effect now.
    borrowing func release() {
        var previous = previous
        unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
    }
}

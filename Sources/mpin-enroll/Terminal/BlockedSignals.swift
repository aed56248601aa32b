import Glibc

/// Holds back the signals that would end the program while the terminal is changed.
struct BlockedSignals: ~Copyable {
    private var previous = sigset_t()

    init() {
        var held = sigset_t()
        unsafe sigemptyset(&held)
        for signal in [SIGTERM, SIGHUP, SIGINT, SIGTSTP] { unsafe sigaddset(&held, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &held, &previous)
    }

    /// Whether one of them has come that ends the program.
    var isPending: Bool { BlockedSignals.arePending([SIGTERM, SIGHUP, SIGINT]) }

    /// Whether the program is to stop.
    var isStopPending: Bool { BlockedSignals.arePending([SIGTSTP]) }

    /// Stops the program, and whatever runs with it at the terminal, until somebody has it continued.
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

    /// Lets them through again; one that came takes effect now.
    borrowing func release() {
        var previous = previous
        unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
    }
}

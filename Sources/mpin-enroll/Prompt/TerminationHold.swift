import Glibc

/// Holds back the signals that would end the program while the terminal is changed.
struct TerminationHold: ~Copyable {
    private var previous = sigset_t()

    init() {
        var held = sigset_t()
        unsafe sigemptyset(&held)
        for signal in [SIGTERM, SIGHUP, SIGINT, SIGTSTP] { unsafe sigaddset(&held, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &held, &previous)
    }

    /// Whether one of them has come.
    var isPending: Bool {
        var pending = sigset_t()
        guard unsafe sigpending(&pending) == 0 else { return false }
        return [SIGTERM, SIGHUP, SIGINT].contains { unsafe sigismember(&pending, $0) == 1 }
    }

    /// Lets them through again; one that came takes effect now.
    borrowing func release() {
        var previous = previous
        unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
    }
}

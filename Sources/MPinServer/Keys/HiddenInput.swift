// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A terminal that does not show what the user types, until ``end()``.
///
/// Signals that end or stop the program are delayed, so that the terminal is always restored.
final class HiddenInput {
    private let terminal: Int32
    private var found = termios()
    private var mask = sigset_t()
    private var isHidden = false
    private var hasEnded = false

    /// - Returns: nil if it is not a terminal.
    init?(_ descriptor: Int32) {
        terminal = descriptor
        guard isatty(descriptor) == 1, unsafe tcgetattr(descriptor, &found) == 0 else { return nil }
        var held = Self.set(Self.ending + [SIGTSTP])
        unsafe pthread_sigmask(SIG_BLOCK, &held, &mask)
        hide()
    }

    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Waits until there is input.
    ///
    /// - Parameter again: repeats the question after the program was stopped and continued.
    /// - Returns: false if a signal that ends the program has arrived.
    func wait(again: () -> Void) -> Bool {
        while !arePending(Self.ending) {
            if arePending([SIGTSTP]) {
                stop()
                again()
            }
            var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&waiting, 1, 200) > 0 { return true }
        }
        return false
    }

    /// Shows input again. A delayed signal takes effect.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        show()
        let hasCome = arePending(Self.ending)
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
        // The parent process may have blocked it.
        var ending = Self.set(Self.ending)
        if hasCome { unsafe pthread_sigmask(SIG_UNBLOCK, &ending, nil) }
    }

    private func stop() {
        show()
        var only = Self.set([SIGTSTP])
        unsafe pthread_sigmask(SIG_UNBLOCK, &only, nil)
        unsafe pthread_sigmask(SIG_BLOCK, &only, nil)
        hide()
    }

    /// Shows only the line feed. The terminal's own line editing stays on.
    private func hide() {
        var hidden = found
        hidden.c_lflag = hidden.c_lflag & ~tcflag_t(ECHO) | tcflag_t(ECHONL)
        isHidden = unsafe tcsetattr(terminal, TCSAFLUSH, &hidden) == 0
    }

    private func show() {
        if isHidden { unsafe tcsetattr(terminal, TCSAFLUSH, &found) }
        isHidden = false
    }

    private func arePending(_ signals: [Int32]) -> Bool {
        var pending = sigset_t()
        guard unsafe sigpending(&pending) == 0 else { return false }
        return signals.contains { unsafe sigismember(&pending, $0) == 1 }
    }

    private static func set(_ signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        return set
    }
}

import Glibc
import MPin

/// The terminal of the person at the keyboard, whatever the standard streams are.
struct Terminal: ~Copyable {
    private let descriptor: Int32

    /// Opens it; `nil` when there is none.
    init?() {
        let opened = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        descriptor = opened
    }

    deinit {
        close(descriptor)
    }

    /// A line on standard error.
    static func say(_ line: String) {
        write(STDERR_FILENO, line + "\n")
    }

    /// A text on standard error that the next one may overwrite.
    static func show(_ text: String) {
        write(STDERR_FILENO, text)
    }

    /// Asks for a line of text that may be seen.
    ///
    /// - Returns: `nil` when the person cancelled.
    borrowing func ask(_ prompt: String) -> String? {
        Terminal.write(descriptor, prompt)
        var line: [UInt8] = []
        while line.count < 1024 {
            var byte: UInt8 = 0
            guard unsafe read(descriptor, &byte, 1) == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    /// Asks for a PIN without showing it.
    ///
    /// The keyboard's signals arrive as characters meanwhile, and termination waits, so that the terminal is always left
    /// as it was found.
    /// - Returns: `nil` when the person cancelled.
    borrowing func askPIN(_ prompt: String) throws(MPinError) -> PIN? {
        var saved = termios()
        guard unsafe tcgetattr(descriptor, &saved) == 0 else { return nil }
        var hidden = saved
        hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        let termination = TerminationHold()
        defer { termination.release() }
        guard unsafe tcsetattr(descriptor, TCSAFLUSH, &hidden) == 0 else { return nil }
        defer {
            _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &saved)
            Terminal.write(descriptor, "\n")
        }
        Terminal.write(descriptor, prompt)
        var line = try HiddenLine()
        while let byte = nextByte(until: termination) {
            switch line.take(byte) {
            case .more: continue
            case .done: return line.finish()
            case .cancelled: return nil
            }
        }
        return nil
    }

    /// The next character, or `nil` at the end of input and when the program is to end.
    private borrowing func nextByte(until termination: borrowing TerminationHold) -> UInt8? {
        while !termination.isPending {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&waiting, 1, 200)
            if ready == 0 || (ready < 0 && errno == EINTR) { continue }
            var byte: UInt8 = 0
            guard ready > 0, unsafe read(descriptor, &byte, 1) == 1 else { return nil }
            return byte
        }
        return nil
    }

    private static func write(_ descriptor: Int32, _ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

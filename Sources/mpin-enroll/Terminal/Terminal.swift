// SPDX-License-Identifier: Apache-2.0
import CTerminal
import Console
import Glibc
import MPin
import SystemFiles

/// The controlling terminal, independent of redirected standard streams.
struct Terminal: ~Copyable {
    private let descriptor: Int32

    /// Opens the terminal; `nil` if there is none.
    init?() {
        let opened = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Writes a line to standard error, without control characters.
    static func say(_ line: String) { show(visible(line) + "\n") }

    /// Writes text to standard error without a line feed, so that the next text can overwrite it.
    static func show(_ text: String) { write(STDERR_FILENO, text) }

    /// Waits until Enter is pressed, or standard input ends.
    static func waitForEnter() { while let line = readLine(strippingNewline: false), !line.hasSuffix("\n") {} }

    /// Asks for a line of text, with echo.
    ///
    /// - Returns: `nil` when the user canceled.
    borrowing func ask(_ prompt: String) -> String? {
        Terminal.write(descriptor, visible(prompt))
        return line()
    }

    /// Asks a yes-or-no question, whose default answer is no.
    borrowing func confirms(_ question: String) -> Bool { ["y", "yes"].contains(ask(question)?.lowercased()) }

    /// Asks for a line of text, and polls for an event that makes the answer unnecessary.
    ///
    /// - Parameters:
    ///   - pauses: the seconds before each poll; the last value is repeated.
    ///   - isNeedless: polls for the event.
    /// - Returns: `nil` when the user canceled; an empty line after the event.
    borrowing func ask<E: Error>(
        _ prompt: String, pauses: [Int], isNeedless: () throws(E) -> Bool
    ) throws(E) -> String? {
        Terminal.write(descriptor, visible(prompt))
        var looks = 0
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let pause = pauses[min(looks, pauses.count - 1)]
            if unsafe poll(&waiting, 1, Int32(pause) * 1000) != 0 { return line() }
            looks += 1
            if try isNeedless() {
                Terminal.write(descriptor, "\n")
                return ""
            }
        }
    }

    private borrowing func line() -> String? {
        var line: [UInt8] = []
        while line.count < 1024 {
            var byte: UInt8 = 0
            guard unsafe read(descriptor, &byte, 1) == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    /// Asks for a PIN, without echo.
    ///
    /// Meanwhile, signals that end or stop the program wait, so that the terminal's mode is always restored.
    /// - Returns: `nil` when the user canceled; a longer line is cut.
    borrowing func askPIN(_ prompt: String) throws(MPinError) -> PIN? {
        var input = mpin_hidden_input()
        guard unsafe mpin_hidden_begin(&input, descriptor) != 0 else { return nil }
        defer {
            unsafe mpin_hidden_end(&input)
            ProgressNotice.renew()
        }
        while true {
            Terminal.write(descriptor, visible(prompt))
            let event = unsafe mpin_hidden_wait(&input)
            if event == MPIN_HIDDEN_INPUT { return try PINSource.line(descriptor) }
            Terminal.write(descriptor, "\n")
            guard event == MPIN_HIDDEN_STOP else {
                mpin_hidden_cancel()
                return nil
            }
            guard unsafe mpin_hidden_stop(&input) != 0 else { return nil }
        }
    }

    private static func write(_ descriptor: Int32, _ text: String) {
        _ = SystemFile.write(text.utf8.span, to: descriptor)
    }
}

extension CommonOptions {
    /// Asks a yes-or-no question before a change.
    ///
    /// - Parameters:
    ///   - needed: the message if the user cannot be asked.
    ///   - option: the hint how to confirm it on the command line.
    ///   - refused: the message if the user refuses.
    ///   - advice: the hint then.
    func confirm(
        _ question: String, needed: String, _ option: String = "Add --yes.", refused: String, _ advice: Advice
    ) throws(CommandFailure) {
        guard mayAsk, let terminal = Terminal() else {
            throw CommandFailure(.inputNeeded, "INPUT_NEEDED", needed, advice: Advice(option))
        }
        guard terminal.confirms(question + " [y/N] ") else {
            throw CommandFailure(.canceled, "CANCELED", refused, advice: advice)
        }
    }
}

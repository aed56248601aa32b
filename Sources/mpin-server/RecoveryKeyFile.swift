// SPDX-License-Identifier: Apache-2.0
import CTerminal
import Glibc
import MPinCrypto
import MPinServer
import MPinServerStorage
import SystemFiles

/// A recovery key that a person types, or that is in a file or a pipe.
struct RecoveryKeyFile {
    /// More than a person types.
    private static let limit = 1024
    private static let prompt = "Recovery key (not shown while you type): "
    private static let promptForRest = "The rest of the key (an empty line ends it): "

    /// Nil for standard input. Never the key itself, which would be visible in the list of processes.
    let file: GivenFile?

    /// The path in the value of `--recovery-key-file`; nil for `-`, which is standard input.
    static func path(_ value: String?) -> String? { value == "-" ? nil : value }

    /// Reads the text of the key. At a terminal, it is not shown.
    @Sendable func read() throws(ServerError) -> SecretBytes {
        let file = try open()
        defer { close(file) }
        var typed = try ServerError.secretBytes(Self.limit)
        let isTerminal = isatty(file) == 1
        var input = mpin_hidden_input()
        let isHidden = unsafe mpin_hidden_begin(&input, file) != 0
        // A signal that has arrived in the meantime takes effect then.
        defer { unsafe mpin_hidden_end(&input) }
        if isTerminal { Self.ask(Self.prompt) }
        var symbols = 0
        var length = 0
        var isRead = false
        while !isRead, length < Self.limit {
            let event = unsafe isHidden ? mpin_hidden_wait(&input) : MPIN_HIDDEN_INPUT
            if event == MPIN_HIDDEN_END { break }
            if event == MPIN_HIDDEN_STOP {
                _ = unsafe mpin_hidden_stop(&input)
                Self.ask(symbols == 0 ? Self.prompt : Self.promptForRest)
                continue
            }
            let count = typed.withMutableBytes(count: Self.limit) { bytes in
                unsafe bytes.withUnsafeMutableBufferPointer { bytes in
                    unsafe Glibc.read(file, bytes.baseAddress.map { unsafe $0 + length }, bytes.count - length)
                }
            }
            if count < 0, errno == EINTR { continue }
            let more = Self.countSymbols(of: typed, from: length, count: max(0, count))
            length += max(0, count)
            isRead = count <= 0
            // Input ends with the last symbol, or with an empty line. The key may have been shown in two lines.
            if isTerminal, !isRead {
                symbols += more
                isRead = more == 0 || symbols >= RecoveryKey.symbolCount
                if !isRead { Self.ask(Self.promptForRest) }
            }
        }
        typed.withMutableBytes(count: length) { _ in }
        return typed
    }

    private func open() throws(ServerError) -> Int32 {
        let input = try file?.descriptor() ?? dup(STDIN_FILENO)
        guard input >= 0 else { throw SystemError().fault("the recovery key", hint: "") }
        return input
    }

    /// The number of bytes that are symbols, valid or not.
    private static func countSymbols(of typed: borrowing SecretBytes, from start: Int, count: Int) -> Int {
        var symbols = 0
        typed.withBytes { bytes in
            for index in bytes.indices
            where index >= start && index < start + count && !RecoveryKey.isBlank(bytes[index]) { symbols += 1 }
        }
        return symbols
    }

    private static func ask(_ question: String) { _ = SystemFile.write(question.utf8.span, to: STDERR_FILENO) }
}

// SPDX-License-Identifier: Apache-2.0
internal import CTerminal
internal import Glibc
internal import MPinCrypto
internal import MPinServerRoles
internal import MPinServerStorage
internal import SystemFiles

/// The sealing key in a form that a person can write down: 14 groups of four of Crockford's symbols. The last 24 of the
/// 280 bits are a checksum.
package struct RecoveryKey: Sendable {
    private static let symbolCount = 56
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    /// More than a person types.
    private static let limit = 1024

    /// The text that is shown once. It is in ordinary memory, because it is written to a terminal and the process then
    /// ends.
    package let text: String
    /// The name of the key in messages.
    package let identifier: String

    init(_ key: SealKey) throws(ServerError) {
        do throws(CryptoError) {
            let check = try key.check()
            var symbols: [UInt8] = []
            symbols.reserveCapacity(2 * Self.symbolCount)
            key.withBytes { bytes in Self.append(bytes, check, to: &symbols) }
            text = String(decoding: symbols, as: UTF8.self)
            identifier = try key.identifier()
        } catch {
            throw ServerError(.internalFault, "cannot compute the recovery key: \(error)")
        }
    }

    /// The symbols of these bytes, in groups of four. Remaining bits at the end are dropped.
    static func append(_ bytes: Span<UInt8>, _ rest: [UInt8], to symbols: inout [UInt8]) {
        let bitCount = 8 * (bytes.count + rest.count)
        for number in 0..<bitCount / 5 {
            var value = 0
            for place in 5 * number..<5 * number + 5 {
                let index = place / 8
                let byte = index < bytes.count ? bytes[index] : rest[index - bytes.count]
                value = value << 1 | Int(byte >> UInt8(7 - place % 8) & 1)
            }
            if number > 0, number % 4 == 0 { symbols.append(UInt8(ascii: "-")) }
            symbols.append(alphabet[value])
        }
    }

    /// Reads a recovery key that was typed or kept in a file.
    ///
    /// - Parameter path: `-` for standard input. Never the key itself, which would be visible in the list of processes.
    static func read(_ path: String) throws(ServerError) -> SealKey {
        if path != "-" {
            guard let facts = FileFacts(of: path), facts.isFile else {
                throw ServerError(
                    .badInput, "\(path) is not a file with a recovery key",
                    hint: "Give a file, or - to type the key or read it from a pipe.")
            }
            try facts.demandPrivate(path)
        }
        let file = path == "-" ? dup(STDIN_FILENO) : unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw SystemError().fault(path, hint: "") }
        defer { close(file) }
        do {
            var typed = try SecretBytes(capacity: limit)
            let isTerminal = isatty(file) == 1
            var input = mpin_hidden_input()
            let isHidden = unsafe mpin_hidden_begin(&input, file, 0) != 0
            defer { unsafe mpin_hidden_end(&input) }
            if isTerminal { ask(prompt) }
            var symbols = 0
            var length = 0
            var isRead = false
            while !isRead, length < limit {
                let event = unsafe isHidden ? mpin_hidden_wait(&input) : MPIN_HIDDEN_INPUT
                if event == MPIN_HIDDEN_END { break }
                if event == MPIN_HIDDEN_STOP {
                    _ = unsafe mpin_hidden_stop(&input)
                    ask(symbols == 0 ? prompt : promptForRest)
                    continue
                }
                let count = typed.withMutableBytes(count: limit) { bytes in
                    unsafe bytes.withUnsafeMutableBufferPointer { bytes in
                        unsafe Glibc.read(file, bytes.baseAddress.map { unsafe $0 + length }, bytes.count - length)
                    }
                }
                if count < 0, errno == EINTR { continue }
                let more = countSymbols(of: typed, from: length, count: max(0, count))
                length += max(0, count)
                isRead = count <= 0
                // Input ends with the last symbol, or with an empty line. The key may have been shown in two lines.
                if isTerminal, !isRead {
                    symbols += more
                    isRead = more == 0 || symbols >= symbolCount
                    if !isRead { ask(promptForRest) }
                }
            }
            typed.withMutableBytes(count: length) { _ in }
            // A signal that has arrived in the meantime takes effect now.
            unsafe mpin_hidden_end(&input)
            return try decode(typed)
        } catch {
            throw error as? ServerError ?? ServerError(.internalFault, "cannot allocate memory for a secret")
        }
    }

    private static let prompt = "Recovery key (not shown while you type): "
    private static let promptForRest = "The rest of the key (an empty line ends it): "

    /// The number of bytes that are symbols, valid or not.
    private static func countSymbols(of typed: borrowing SecretBytes, from start: Int, count: Int) -> Int {
        var symbols = 0
        typed.withBytes { bytes in
            for index in bytes.indices where index >= start && index < start + count && !isBlank(bytes[index]) {
                symbols += 1
            }
        }
        return symbols
    }

    private static func ask(_ question: String) {
        let text = Array(question.utf8)
        _ = unsafe text.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static func decode(_ typed: borrowing SecretBytes) throws -> SealKey {
        var bits = try SecretBytes(capacity: SealKey.size + SealKey.checkSize)
        var count = 0
        var isGood = true
        typed.withBytes { typed in
            bits.withMutableBytes(count: SealKey.size + SealKey.checkSize) { target in
                for index in typed.indices where !isBlank(typed[index]) {
                    guard let value = value(of: typed[index]) else {
                        isGood = false
                        return
                    }
                    for place in 0..<5 where count < symbolCount && value & (16 >> place) != 0 {
                        target[(5 * count + place) / 8] |= 0x80 >> UInt8((5 * count + place) % 8)
                    }
                    count += 1
                }
            }
        }
        guard isGood, count == symbolCount else {
            throw ServerError(
                .badInput,
                isGood
                    ? "a recovery key has \(symbolCount) symbols, not \(count)"
                    : "a recovery key contains only letters and digits, and no U")
        }
        var key = try SecretBytes(capacity: SealKey.size)
        var check: [UInt8] = []
        bits.withBytes { bits in
            key.withMutableBytes(count: SealKey.size) { target in
                for index in target.indices { target[index] = bits[index] }
            }
            for index in SealKey.size..<bits.count { check.append(bits[index]) }
        }
        let found = try SealKey(key)
        guard try found.check() == check else {
            throw ServerError(
                .badInput, "this is not a recovery key: a symbol is wrong, or two are swapped",
                hint: "Compare it with your written copy, group by group.")
        }
        return found
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D, 0x2D].contains(byte) }

    private static func value(of byte: UInt8) -> Int? {
        let upper = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte - 32 : byte
        switch upper {
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        case UInt8(ascii: "O"): return 0
        default: return alphabet.firstIndex(of: upper)
        }
    }
}

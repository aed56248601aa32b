// SPDX-License-Identifier: Apache-2.0

/// The text of a PAM file, split into lines as libpam does.
package struct StackText: Sendable {
    /// One line for libpam: several lines of the file if they end with a backslash.
    package struct LogicalLine: Sendable {
        /// The lines of the file, counted from 0.
        package let range: ClosedRange<Int>
        let words: [[UInt8]]
    }

    package let lines: [LogicalLine]
    /// The line, counted from 0, that makes the file count as broken, and why. libpam rejects a file whose last line
    /// ends with a backslash. If a line is too long or contains a NUL byte, libpam reads lines that an editor does not
    /// show.
    let fault: (line: Int, reason: String)?
    package var isBroken: Bool { fault != nil }

    /// The maximum length of a line with its continuation.
    private static let longest = 1023
    private static let tooLong = "it is too long for libpam, including its continuation"

    package init(_ bytes: [UInt8]) {
        var lines: [LogicalLine] = []
        var assembled: [UInt8] = []
        var first: Int?
        var fault: (line: Int, reason: String)?
        for (number, whole) in StackText.split(bytes).enumerated() {
            // libpam splits a long line into parts and stops at a NUL byte.
            if whole.contains(0) { fault = fault ?? (number, "it contains a NUL byte") }
            if whole.count >= StackText.longest { fault = fault ?? (number, StackText.tooLong) }
            let line = whole.drop { $0 == 0x20 || $0 == 0x09 }
            // libpam skips these also between a line and its continuation.
            if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
            let begin = first ?? number
            let kept = line.prefix { $0 != UInt8(ascii: "#") }
            let end = kept.count == line.count ? StackText.trimmed(kept) : kept
            if kept.count == line.count, end.last == UInt8(ascii: "\\") {
                assembled += end.dropLast() + [0x20]
                first = begin
                continue
            }
            assembled += kept
            if assembled.count > StackText.longest { fault = fault ?? (begin, StackText.tooLong) }
            lines.append(LogicalLine(range: begin...number, words: StackText.words(assembled)))
            assembled = []
            first = nil
        }
        self.lines = lines
        self.fault = fault ?? first.map { ($0, "it ends with a backslash, but no line follows") }
    }

    /// The lines of a file, without newlines.
    package static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        while let last = line.last, isBlank(last), line.count > 1 { line.removeLast() }
        return line
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A }

    /// The words of a line. Text in brackets is one word; `\]` in it stands for a bracket.
    private static func words(_ text: [UInt8]) -> [[UInt8]] {
        var words: [[UInt8]] = []
        var rest = text[...]
        while true {
            rest = rest.drop(while: isBlank)
            guard let first = rest.first else { return words }
            guard first == UInt8(ascii: "[") else {
                let word = rest.prefix { !isBlank($0) }
                words.append(Array(word))
                rest = rest.dropFirst(word.count + 1)
                continue
            }
            rest = rest.dropFirst()
            var word: [UInt8] = []
            while let byte = rest.first, byte != UInt8(ascii: "]") {
                if byte == UInt8(ascii: "\\"), rest.dropFirst().first == UInt8(ascii: "]") { rest = rest.dropFirst() }
                word.append(rest.removeFirst())
            }
            words.append(word)
            rest = rest.dropFirst()
        }
    }
}

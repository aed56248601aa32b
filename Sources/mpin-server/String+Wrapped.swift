// SPDX-License-Identifier: Apache-2.0
extension String {
    /// The text, wrapped between words to the width of the terminal. Continuation lines keep the indentation of their
    /// line. Commands stay whole, so that they can be copied, and so do words longer than a line.
    func wrapped(_ columns: Int) -> String {
        guard columns < .max else { return self }
        return split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { Self.wrapped($0, max(columns, 20)) }.joined(separator: "\n")
    }

    private static func wrapped(_ line: Substring, _ columns: Int) -> [String] {
        let indentation = String(line.prefix { $0 == " " })
        let text = line.dropFirst(indentation.count)
        guard line.count > columns, !text.hasPrefix("mpin-server "), !text.hasPrefix("sudo ") else {
            return [String(line)]
        }
        var lines: [String] = []
        var current = indentation
        for word in line.split(separator: " ") {
            let isFirst = current.count == indentation.count
            if !isFirst, current.count + 1 + word.count > columns {
                lines.append(current)
                current = indentation + word
            } else {
                current += (isFirst ? "" : " ") + word
            }
        }
        return lines + [current]
    }
}

// SPDX-License-Identifier: Apache-2.0
import Console

extension String {
    /// The text, wrapped between words to the width of the terminal. Continuation lines keep the indentation of their
    /// line. Commands stay whole, so that they can be copied, and so do words longer than a line.
    func wrapped(_ columns: Int) -> String {
        guard columns < .max else { return self }
        return split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            let indentation = line.prefix { $0 == " " }.count
            let text = line.dropFirst(indentation)
            guard line.count > columns, !text.hasPrefix("mpin-server "), !text.hasPrefix("sudo ") else {
                return [String(line)]
            }
            return Display.wrapped(text, columns: columns, indentation: indentation)
        }.joined(separator: "\n")
    }
}

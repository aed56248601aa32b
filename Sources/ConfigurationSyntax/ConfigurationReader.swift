// SPDX-License-Identifier: Apache-2.0

/// Reads the text of a configuration file line by line.
///
/// Each `key = value` is on a line of its own, below the `[section]` of the key or above all sections. `#` at the start
/// of a line, or after white space behind a value, begins a comment. A value with `#` or with white space at its ends
/// needs double quotes. The last line needs no line feed.
///
/// `mpin.conf` and `server.conf` both have this format; the caller defines the sections and keys.
package struct ConfigurationReader {
    /// The number of the line that was read last, counted from 1.
    package private(set) var number = 0
    private var start = 0

    package init() {}

    /// The next line, or nil after the last one.
    ///
    /// - Parameter text: the whole file, the same in all calls.
    package mutating func next(in text: Span<UInt8>) -> ConfigurationLine? {
        guard start <= text.count else { return nil }
        var end = start
        while end < text.count, text[end] != 0x0A { end += 1 }
        let line = start..<end
        start = end + 1
        number += 1
        return ConfigurationLine(line, in: text)
    }
}

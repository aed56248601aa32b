/// Reads the text of a configuration file line by line.
///
/// `key = value` on a line of its own, below the `[section]` the key belongs to or above all sections. `#` at the start
/// of a line, or after white space behind a value, begins a comment. A value with `#` or with white space at its ends
/// stands in double quotes. The last line needs no end.
///
/// Both `mpin.conf` and `server.conf` are written like this; which sections and keys there are is up to the caller.
package struct ConfigurationReader {
    /// The number of the line that was read last, counted from 1.
    package private(set) var number = 0
    private var start = 0

    package init() {}

    /// The next line, or nil behind the last one.
    ///
    /// - Parameter text: the whole file, the same for all calls.
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

// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A page of `man/`.
///
/// What a page lists of the code's tables is between `.\" table NAME` and `.\" end of table`. Tests compare it with
/// the code; with `MPIN_RECORD_MANUALS=1` they write it.
public struct ManualPage {
    private let url: URL
    public private(set) var lines: [String]

    /// - Parameter name: the file's, as `mpin.conf.5`.
    public init(_ name: String) throws {
        url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "man/" + name)
        lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
    }

    /// The lines of a table, after they were recorded where that is wanted; nil where the page has no such table.
    public mutating func table(_ name: String, recording wanted: [String]) throws -> [String]? {
        guard let start = lines.firstIndex(of: ".\\\" table " + name),
            let end = lines[start...].firstIndex(of: ".\\\" end of table")
        else { return nil }
        if ProcessInfo.processInfo.environment["MPIN_RECORD_MANUALS"] == "1" {
            lines.replaceSubrange((start + 1)..<end, with: wanted)
            try lines.joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8)
            return wanted
        }
        return Array(lines[(start + 1)..<end])
    }

    /// The lines of a section.
    public func section(_ heading: String) -> [String] {
        guard let start = lines.firstIndex(of: ".Sh " + heading) else { return [] }
        return lines[(start + 1)...].prefix { !$0.hasPrefix(".Sh ") }
    }

    /// The text behind `.It` in a section.
    public func items(in heading: String) -> [String] {
        section(heading).filter { $0.hasPrefix(".It ") }.map { String($0.dropFirst(4)) }
    }
}

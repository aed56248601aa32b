import Foundation
import MPin
import MPinConfiguration
import MPinWire
import Testing

/// The table of options, and the one of the README that is made of it.
struct ConfigurationOptionTests {
    static let heading = "| Key | Section | Default | Meaning |"

    /// A row of the README's table.
    static func line(_ option: ConfigurationOption) -> String {
        let row = option.row
        let section = row.section.map { "\($0)" } ?? "argument only"
        let standard = "\(row.standard)"
        return "| `\(row.name)` | \(section) | \(standard.isEmpty ? "none" : "`\(standard)`") | \(row.sentence) |"
    }

    @Test("Every option has a name, a version and a sentence of its own, and the form of its own default")
    func rows() throws {
        let options = ConfigurationOption.allCases
        #expect(Set(options.map { "\($0.row.name)" }).count == options.count)
        #expect(Set(options.map { "\($0.row.sentence)" }).count == options.count)
        for option in options {
            let (row, sentence) = (option.row, "\(option.row.sentence)")
            #expect(!sentence.isEmpty && !sentence.hasSuffix(".") && !sentence.contains("\n"), "\(row.name)")
            #expect("\(row.since)".split(separator: ".").count == 2, "\(row.name)")
            guard "\(row.standard)" != "" else { continue }
            let none: [UInt8] = []
            #expect(throws: Never.self, "\(row.name)") {
                try Configuration.parse(none.span, path: "/none", arguments: ["\(row.name)=\(row.standard)"])
            }
        }
    }

    @Test("A section is where an option stands, and elsewhere it is refused", arguments: ConfigurationOption.allCases)
    func sections(_ option: ConfigurationOption) {
        let row = option.row
        let standard = "\(row.standard)".isEmpty ? Self.example(row.kind) : "\(row.standard)"
        for section in ["server", "store", "login", "remote", "log"] {
            let text = Array("[\(section)]\n\(row.name) = \"\(standard)\"".utf8)
            let isAllowed = (try? Configuration.parse(text.span, path: "/none", arguments: [])) != nil
            #expect(isAllowed == (row.section.map { "\($0)" } == section), "\(row.name) in \(section)")
        }
    }

    private static func example(_ kind: ConfigurationRow.Kind) -> String {
        switch kind {
        case .address: "https://mpin.example.org"
        case .path, .pathOrNone: "/etc/mpin/authority.pem"
        case .template: "%u@example.org"
        default: "pin"
        }
    }

    @Test("The README's table is this one, row for row")
    func documented() throws {
        let readme = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "README.md")
        let lines = try String(contentsOf: readme, encoding: .utf8).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: Self.heading))
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }
        #expect(Array(rows) == ConfigurationOption.allCases.map { Self.line($0) })
    }
}

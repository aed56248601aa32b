// SPDX-License-Identifier: Apache-2.0
import MPinConfiguration

/// A line of the configuration's file, for details that its reader does not report. The reader is part of the module,
/// which has to be small and must not repeat the content of a file that was named by mistake.
struct WrittenLine {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The fault's message, with a more specific reason if one is found.
    func explained(_ fault: ConfigurationError) -> String {
        let message = fault.message, place = fault.place
        if bytes.starts(with: WrittenLine.mark) {
            return place + "starts with a byte order mark (EF BB BF). Remove it."
        }
        switch fault.kind {
        case .unnamedKey: return message + (key.map { " '\($0)'" } ?? "")
        case .wrongSection:
            return message + (option?.sectionName.map { ": move it to [\($0)] or above all sections" } ?? "")
        case .malformedLine where isQuoted: return place + "only a comment may follow the closing quote"
        default: return message
        }
    }

    /// The byte order mark that editors on Windows write before UTF-8 text.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The text before the equals sign, if it has the form of a key.
    private var key: String? {
        guard bytes.contains(UInt8(ascii: "=")) else { return nil }
        let words = bytes.prefix { $0 != UInt8(ascii: "=") }.split { $0 == 0x20 || $0 == 0x09 }
        guard words.count == 1, let word = words.first, 1...32 ~= word.count else { return nil }
        let isKey = word.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isKey ? String(decoding: word, as: UTF8.self) : nil
    }

    private var option: ConfigurationOption? { ConfigurationOption.allCases.first { $0.name == key } }

    /// Whether the value starts with a double quote.
    private var isQuoted: Bool {
        let value = bytes.drop { $0 != UInt8(ascii: "=") }.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
        return value.first == UInt8(ascii: "\"")
    }
}

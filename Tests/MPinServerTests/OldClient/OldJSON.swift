// SPDX-License-Identifier: Apache-2.0
import Foundation

/// JSON as the C++ client of 2016 writes it: one member a line, indented by tabs, a space on either side of the colon.
indirect enum OldJSON {
    case text(String)
    case number(Int)
    case flag(Bool)
    case object([(String, OldJSON)])

    /// A value of an answer, to be sent back as it came.
    init(_ value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let number as Int: self = .number(number)
        case let object as [String: Any]:
            self = .object(object.sorted { $0.key < $1.key }.map { ($0.key, OldJSON($0.value)) })
        default: self = .text("")
        }
    }

    func written(depth: Int = 0) -> String {
        switch self {
        case .text(let text):
            "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
        case .number(let number): String(number)
        case .flag(let flag): flag ? "true" : "false"
        case .object(let members):
            "{\n"
                + members.map {
                    String(repeating: "\t", count: depth + 1) + "\"\($0.0)\" : " + $0.1.written(depth: depth + 1)
                }.joined(separator: ",\n") + "\n" + String(repeating: "\t", count: depth) + "}"
        }
    }
}

internal import MPin

/// The one line an attempt leaves in the system's log.
///
/// It never holds a secret, and what came from outside is shown without anything that could forge a line.
struct LogLine {
    var phase: StaticString = "auth"
    var user = ""
    var service = ""
    var remoteHost = ""
    var result: StaticString = ""
    var code: ReturnCode = .systemError
    var left: Int?
    var method: LoginMethod?
    var milliseconds: Int64 = 0
    var correlation: UInt32 = 0
    var reason = ""

    var text: String {
        var line = "user=" + LogLine.value(user) + " service=" + LogLine.value(service)
        line += " rhost=" + LogLine.value(remoteHost) + " result=" + result.text
        line += " left="
        if let left { line += "\(left)" }
        line += " method=" + (method?.name.text ?? "")
        line += " ms=\(milliseconds) id=" + hexadecimal
        line += " phase=" + phase.text + " code=" + code.name.text
        if !reason.utf8.isEmpty { line += " reason=\"" + LogLine.quoted(reason) + "\"" }
        return line
    }

    private var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        let text = (0..<8).map { digits[Int(truncatingIfNeeded: correlation >> UInt32(28 - 4 * $0)) & 15] }
        return String(decoding: text, as: UTF8.self)
    }

    /// A value that ends at the next space: spaces, quotes and equals signs within would begin a field of their own.
    private static func value(_ text: String) -> String {
        let bytes = VisibleText.sanitized(text, limit: 128).utf8.map { byte in
            byte == 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "=") ? UInt8(ascii: "?") : byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func quoted(_ text: String) -> String {
        let bytes = VisibleText.sanitized(text, limit: 256).utf8.map {
            $0 == UInt8(ascii: "\"") ? UInt8(ascii: "'") : $0
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import MPin
internal import MPinConfiguration
internal import MPinWire

/// The one line that an attempt writes to the system's log.
///
/// It never contains a secret, and untrusted text is sanitized so that it cannot forge a line.
struct LogLine {
    var phase: Constant = "auth"
    var user = ByteText()
    var service = ByteText()
    var remoteHost = ByteText()
    var result: Constant = ""
    var code: ReturnCode = .systemError
    var left: Int?
    var method: LoginMethod?
    var milliseconds: Int64 = 0
    var correlation: UInt32 = 0
    /// The text before each sentence about a failure.
    var prefix = ByteText()
    var reason = ByteText()

    var text: ByteText {
        var line: ByteText = "user="
        LogLine.append(user, to: &line)
        line.append(" service=")
        LogLine.append(service, to: &line)
        line.append(" rhost=")
        LogLine.append(remoteHost, to: &line)
        line.append(" result=")
        line.append(contentsOf: result.text)
        line.append(" left=")
        if let left { line.append(decimal: left) }
        line.append(" method=")
        if let method { line.append(method.name) }
        line.append(" ms=")
        line.append(decimal: Int(milliseconds))
        line.append(" id=")
        appendCorrelation(to: &line)
        line.append(" phase=")
        line.append(contentsOf: phase.text)
        line.append(" code=")
        line.append(contentsOf: code.name.text)
        if !reason.isEmpty {
            line.append(" reason=\"")
            LogLine.append(quoted: prefix, to: &line)
            LogLine.append(quoted: reason, to: &line)
            line.append("\"")
        }
        return line
    }

    /// Eight hexadecimal digits.
    private func appendCorrelation(to line: inout ByteText) {
        for index in 0..<8 {
            let digit = UInt8(truncatingIfNeeded: correlation >> UInt32(28 - 4 * index)) & 15
            line.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    /// Appends a value that ends at the next space: spaces, quotes and equals signs inside would begin another field.
    @inline(never)
    private static func append(_ value: ByteText, to line: inout ByteText) {
        for byte in VisibleText.sanitized(value, limit: 128).bytes {
            let endsValue = byte == 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "=")
            line.append(endsValue ? UInt8(ascii: "?") : byte)
        }
    }

    @inline(never)
    private static func append(quoted text: ByteText, to line: inout ByteText) {
        for byte in VisibleText.sanitized(text, limit: 256).bytes {
            line.append(byte == UInt8(ascii: "\"") ? UInt8(ascii: "'") : byte)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// A header that an application adds to each request.
public struct HTTPHeader: Sendable {
    package let nameText: ByteText
    package let valueText: ByteText

    var line: ByteText {
        // libcurl interprets a line without a value as a header to omit; with a semicolon, the header is sent empty.
        for byte in valueText.bytes where byte != 0x20 { return nameText + ": " + valueText }
        return nameText + ";"
    }

    /// - Returns: `nil` for a name that is not an HTTP token or defines the framing or the destination of the message,
    ///   and for a value that is not printable ASCII.
    package init?(name: ByteText, value: ByteText) {
        guard 1...64 ~= name.count, name.bytes.allSatisfy(HTTPHeader.isToken), !HTTPHeader.isReserved(name),
            value.count <= 1024, value.bytes.allSatisfy({ 0x20...0x7e ~= $0 })
        else { return nil }
        nameText = name
        valueText = value
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isReserved(_ name: ByteText) -> Bool {
        let lowercased = name.bytes.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        let reserved: [StaticString] = [
            "host", "content-length", "transfer-encoding", "connection", "expect", "upgrade", "te", "trailer",
        ]
        return reserved.contains { $0.matches(lowercased) }
    }
}

extension HTTPHeader {
    /// Makes a header for every request.
    ///
    /// - Parameters:
    ///   - name: an HTTP token, except names that define the framing or the destination of the message.
    ///   - value: printable ASCII.
    /// - Returns: `nil` for anything else.
    public init?(name: String, value: String) { self.init(name: ByteText(name), value: ByteText(value)) }

    /// The name, as it was passed.
    public var name: String { nameText.string }
    /// The value, as it was passed.
    public var value: String { valueText.string }
}

/// A header that an application adds to each request.
public struct HTTPHeader: Sendable {
    public let name: String
    public let value: String

    /// The line as it is sent.
    let line: String

    /// - Parameters:
    ///   - name: a token of HTTP; not one that says how the message is framed or where it goes.
    ///   - value: printable ASCII.
    /// - Returns: `nil` for anything else.
    public init?(name: String, value: String) {
        let bytes = Array(name.utf8)
        guard !bytes.isEmpty, bytes.count <= 64, bytes.allSatisfy(HTTPHeader.isToken), !HTTPHeader.isReserved(bytes),
            value.utf8.count <= 1024, value.utf8.allSatisfy({ 0x20...0x7e ~= $0 })
        else { return nil }
        self.name = name
        self.value = value
        // libcurl takes a line without a value for a header to leave out; with a semicolon it is sent empty.
        line = value.utf8.allSatisfy({ $0 == 0x20 }) ? name + ";" : name + ": " + value
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isReserved(_ name: [UInt8]) -> Bool {
        let lowercased = name.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        let reserved: [StaticString] = [
            "host", "content-length", "transfer-encoding", "connection", "expect", "upgrade", "te", "trailer",
        ]
        return reserved.contains { $0.matches(String(decoding: lowercased, as: UTF8.self)) }
    }
}

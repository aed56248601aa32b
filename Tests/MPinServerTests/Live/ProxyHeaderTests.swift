// SPDX-License-Identifier: Apache-2.0
import MPinServer
import MPinServerStorage
import Testing

/// The header of the PROXY protocol, version 2, byte by byte.
struct ProxyHeaderTests {
    static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]

    /// A header, valid or not.
    static func header(_ command: UInt8, _ family: UInt8, _ rest: [UInt8], length: Int? = nil) -> [UInt8] {
        let length = length ?? rest.count
        return signature + [command, family, UInt8(length >> 8), UInt8(length & 0xFF)] + rest
    }

    /// The addresses of a connection from 203.0.113.9, port 1024, to 10.0.0.1, port 443.
    static let four: [UInt8] = [203, 0, 113, 9, 10, 0, 0, 1, 4, 0, 1, 187]
    /// Those of a connection from 2001:db8:1:2:3:4:5:6.
    static let six: [UInt8] =
        [0x20, 1, 0x0D, 0xB8, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6] + [UInt8](repeating: 7, count: 16) + [4, 0, 1, 187]
    private static let mapped: [UInt8] =
        [UInt8](repeating: 0, count: 10) + [255, 255, 203, 0, 113, 9] + six.dropFirst(16)
    /// Fields after the addresses: ALPN and a checksum that the server does not verify.
    private static let fields: [UInt8] = [1, 0, 2, 104, 50, 3, 0, 4, 1, 2, 3, 4]
    private static let room = [UInt8](repeating: 0, count: 520)

    /// Valid headers, and their clients.
    static let valid: [(bytes: [UInt8], client: String?)] = [
        (header(0x21, 0x11, four), "203.0.113.9"), (header(0x21, 0x11, four + fields), "203.0.113.9"),
        (header(0x21, 0x11, four + room.dropFirst(12)), "203.0.113.9"),
        (header(0x21, 0x21, six), "2001:db8:1:2::/64"), (header(0x21, 0x21, six + fields), "2001:db8:1:2::/64"),
        (header(0x21, 0x21, mapped), "203.0.113.9"),
        (header(0x21, 0x00, []), nil), (header(0x21, 0x00, fields), nil), (header(0x21, 0x00, room), nil),
        (header(0x20, 0x00, []), nil), (header(0x20, 0x00, fields), nil), (header(0x20, 0x11, four), nil),
        (header(0x20, 0x31, room), nil),
    ]

    @Test func `a valid header has a client and a length, whatever follows`() {
        for (bytes, client) in Self.valid {
            for more in [[], [22, 3, 1], Self.signature] {
                guard case .complete(let source, let length) = ProxyHeader(bytes + more) else {
                    Issue.record("\(bytes)")
                    continue
                }
                #expect(source?.text == client && length == bytes.count)
            }
        }
    }

    @Test func `each beginning of a valid header is incomplete`() {
        for (bytes, _) in Self.valid {
            for count in 0..<bytes.count { #expect(ProxyHeader(bytes.prefix(count)) == .incomplete, "\(count)") }
        }
    }

    @Test func `each other signature is invalid from its first wrong byte on`() {
        let bytes = Self.valid[0].bytes
        for position in 0..<12 {
            for bit in 0..<8 {
                var wrong = bytes
                wrong[position] ^= 1 << bit
                for count in position + 1...bytes.count { #expect(ProxyHeader(wrong.prefix(count)) == .invalid) }
            }
        }
        for text in ["PROXY TCP4 203.0.113.9 10.0.0.1 1024 443\r\n", "GET / HTTP/1.1\r\n", "\u{16}\u{03}\u{01}"] {
            #expect(ProxyHeader(text.utf8) == .invalid)
        }
    }

    @Test func `each other version, command, family and transport is invalid`() {
        for command in 0...UInt8.max where ![0x20, 0x21].contains(command) {
            for bytes in [Self.header(command, 0x11, Self.four), Self.header(command, 0x00, [])] {
                #expect(ProxyHeader(bytes) == .invalid && ProxyHeader(bytes.prefix(14)) == .invalid)
            }
        }
        // Among them 0x12 and 0x22 (DGRAM), 0x31 and 0x32 (AF_UNIX).
        for family in 0...UInt8.max where ![0x00, 0x11, 0x21].contains(family) {
            for rest in [[], Self.four, Self.six, Self.room] {
                let bytes = Self.header(0x21, family, rest)
                #expect(ProxyHeader(bytes) == .invalid && ProxyHeader(bytes.prefix(14)) == .invalid)
            }
        }
    }

    @Test func `a length that is too small for the addresses, or too large, is invalid`() {
        let lengths: [(command: UInt8, family: UInt8, lengths: Range<Int>)] = [
            (0x21, 0x11, 0..<12), (0x21, 0x21, 0..<36), (0x21, 0x11, 521..<65_536), (0x21, 0x21, 521..<65_536),
            (0x21, 0x00, 521..<65_536), (0x20, 0x00, 521..<65_536),
        ]
        for (command, family, lengths) in lengths {
            for length in lengths {
                // Before any address has arrived.
                #expect(ProxyHeader(Self.header(command, family, [], length: length)) == .invalid, "\(length)")
            }
        }
    }
}

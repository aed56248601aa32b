// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinServer
import MPinServerRoles
import MPinServerStorage
import Testing

/// The line by which an authority gets to know its relying party.
@Suite struct RelyingPartyLineTests {
    private func identity() throws -> RelyingPartyIdentity {
        RelyingPartyIdentity(appID: hex(try Random.bytes(16)), publicKey: try DeviceKey.generate().publicKey)
    }

    @Test func `it is read back as written, whatever a terminal adds`() throws {
        let one = try identity()
        let line = try one.line
        #expect(try RelyingPartyIdentity(line: line) == one)
        #expect(try RelyingPartyIdentity(line: "  \(line)\r\n") == one)
        #expect(try RelyingPartyIdentity(line: line.uppercased()) == one)
        #expect(!line.contains(" ") && line.utf8.count < 256)
    }

    @Test func `any other digit is noticed`() throws {
        let line = try identity().line
        let start = "mpin-relying-party-1-".utf8.count
        for place in start..<line.utf8.count {
            var bytes = Array(line.utf8)
            bytes[place] = bytes[place] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
            #expect(throws: ServerError.self) {
                try RelyingPartyIdentity(line: String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    @Test func `any other line is refused`() throws {
        let line = try identity().line
        // Not a point, with a checksum that is right.
        let none = RelyingPartyIdentity(
            appID: String(repeating: "0", count: 32),
            publicKey: DevicePublicKey(kept: [4] + [UInt8](repeating: 7, count: 64)))
        for text in [
            "", " ", "mpin-relying-party-1-", String(line.dropLast()), line + "00", line + line,
            String(line.dropFirst(21)), line.replacing("-1-", with: "-2-"), String(repeating: "0", count: 1 << 20),
            try none.line,
        ] {
            let error = #expect(throws: ServerError.self) { try RelyingPartyIdentity(line: text) }
            #expect(error?.kind == .badInput)
        }
    }
}

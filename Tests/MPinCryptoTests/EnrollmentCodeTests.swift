// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Testing

/// Texts that users type: enrollment codes, and fingerprints of server keys.
@Suite struct EnrollmentCodeTests {
    @Test func `a code is read in any case, with and without hyphens and spaces`() throws {
        let code = try EnrollmentCode.generate()
        #expect(code.utf8.count == 19)
        let symbols = try #require(EnrollmentCode.symbols(code))
        #expect(symbols.count == EnrollmentCode.length)
        for typed in [code.lowercased(), code.filter { $0 != "-" }, code.split(separator: "-").joined(separator: " ")] {
            #expect(EnrollmentCode.symbols(typed) == symbols)
        }
        #expect(EnrollmentCode.symbols("oil0-0000-0000-0000") == EnrollmentCode.symbols("0110-0000-0000-0000"))
    }

    @Test(arguments: [
        "", "0000-0000-0000-000", "0000-0000-0000-0000-0", "U000-0000-0000-0000", "0000_0000_0000_0000", "123456",
        "é000-0000-0000-0000", "0000-0000-0000-0000.", "code: 0000-0000-0000-0000",
    ])
    func `anything else is no code`(text: String) {
        #expect(EnrollmentCode.symbols(text) == nil)
    }

    @Test func `two codes differ in their names and proofs, and so do the two sides`() throws {
        var proofs: Set<[UInt8]> = []
        for code in ["0000-0000-0000-0000", "0000-0000-0000-0001"] {
            let secret = try CodeSecret(symbols: #require(EnrollmentCode.symbols(code)))
            proofs.insert(secret.name)
            for (user, key, server) in [
                ("a", "k", "s"), ("b", "k", "s"), ("a", "l", "s"), ("a", "k", "t"), ("ak", "", "s"),
            ] {
                let parts = (Array(user.utf8), Array(key.utf8), Array(server.utf8))
                proofs.insert(try secret.clientProof(user: parts.0, deviceKey: parts.1, serverKeyHash: parts.2))
                proofs.insert(try secret.serverProof(user: parts.0, deviceKey: parts.1, serverKeyHash: parts.2))
            }
        }
        #expect(proofs.count == 2 + 2 * 2 * 5)
    }

    @Test func `a fingerprint is read as it is printed, and as other programs print hashes`() throws {
        let fingerprint = try KeyFingerprint(of: DeviceKey.generate().publicKey.bytes)
        let text = fingerprint.text
        #expect(text.utf8.count == 71)
        let plain = text.filter { $0 != "-" }
        for typed in [text, plain, plain.uppercased(), text.replacing("-", with: ":")] {
            #expect(KeyFingerprint(typed) == fingerprint)
        }
        for wrong in ["", String(plain.dropLast()), plain + "0", String(plain.dropLast()) + "g"] {
            #expect(KeyFingerprint(wrong) == nil)
        }
    }
}

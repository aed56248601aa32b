// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// Keys and secrets in a TPM, as C sees it.
    @Suite(.enabled(if: EmulatedTPM.program != nil)) struct TPMKeyTests {
        private let digest = (0..<32).map { String(format: "%02x", $0 * 7 + 3) }.joined()
        private let tpm: EmulatedTPM

        init() throws { tpm = try EmulatedTPM() }

        /// Whether OpenSSL takes a signature for one of this key.
        private func verifies(_ signature: String, _ publicKey: String) throws -> Bool {
            let directory = "/tmp/mpin-tpm-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(atPath: directory) }
            func number(_ text: Substring) -> String {
                let digits = text.drop { $0 == "0" }
                let even = digits.count % 2 == 0 ? String(digits) : "0" + digits
                let whole = even.first.map { $0 >= "8" } == true ? "00" + even : even
                return "02" + String(format: "%02x", whole.count / 2) + whole
            }
            let pair = number(signature.prefix(64)) + number(signature.suffix(64))
            let files = [
                "signature": "30" + String(format: "%02x", pair.count / 2) + pair, "digest": digest,
                "key": "3059301306072a8648ce3d020106082a8648ce3d030107034200" + publicKey,
            ]
            for (name, text) in files {
                try #require(Data(hexadecimal: text)).write(to: URL(fileURLWithPath: directory + "/" + name))
            }
            let run = try Run(
                "/usr/bin/openssl",
                [
                    "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", directory + "/key", "-sigfile",
                    directory + "/signature", "-in", directory + "/digest",
                ])
            return run.status == 0
        }

        private func createKey(_ other: EmulatedTPM? = nil) throws -> (blob: String, publicKey: String) {
            let made = try TPMCall((other ?? tpm).device, "create")
            try #require(made.outcome == .done && made.results.count == 2, "\(made)")
            return (made.results[0], made.results[1])
        }

        @Test func `a key signs what OpenSSL verifies`() throws {
            let key = try createKey()
            #expect(key.publicKey.count == 130 && key.publicKey.hasPrefix("04"))
            // Often enough for numbers with leading zeroes.
            for _ in 0..<(isFast ? 8 : 300) {
                let signed = try TPMCall(tpm.device, "sign", key.blob, digest)
                try #require(signed.outcome == .done && signed.results.first?.count == 128, "\(signed)")
                #expect(try verifies(signed.results[0], key.publicKey))
                #expect(try !verifies(signed.results[0], createKey().publicKey))
            }
            #expect(try tpm.leftObjects() == 0)
        }

        @Test func `a key lives as long as its TPM is not cleared`() throws {
            let key = try createKey()
            tpm.stop()
            try tpm.start()
            #expect(try TPMCall(tpm.device, "sign", key.blob, digest).outcome == .done)
            try tpm.clear()
            #expect(try TPMCall(tpm.device, "sign", key.blob, digest).outcome == .unknownKey)
        }

        @Test func `another TPM can do nothing with a key or a secret`() throws {
            let thief = try EmulatedTPM()
            let key = try createKey()
            let sealed = try TPMCall(tpm.device, "seal", digest)
            #expect(try TPMCall(thief.device, "sign", key.blob, digest).outcome == .unknownKey)
            #expect(try TPMCall(thief.device, "unseal", sealed.results[0]).outcome == .unknownKey)
            // It fails too if the name of its own parent is put into the blob.
            let own = try createKey(thief)
            let grafted = own.blob.prefix(4 + 4 + 68) + key.blob.dropFirst(4 + 4 + 68)
            #expect(try TPMCall(thief.device, "sign", String(grafted), digest).outcome == .unknownKey)
            #expect(try thief.leftObjects() == 0)
        }

        @Test func `a secret comes back, and leaves no copy`() throws {
            let secret = (0..<32).map { _ in String(format: "%02x", UInt8.random(in: 0...255)) }.joined()
            let sealed = try TPMCall(tpm.device, "seal", secret)
            try #require(sealed.outcome == .done && sealed.results.count == 3, "\(sealed)")
            let opened = try TPMCall(tpm.device, "unseal", sealed.results[0])
            #expect(opened.results == [secret, "0"] && sealed.results[2] == "0")
            try tpm.clear()
            #expect(try TPMCall(tpm.device, "unseal", sealed.results[0]).outcome == .unknownKey)
        }

        @Test func `one bit changed makes a blob worthless`() throws {
            let key = try createKey()
            let bytes = try #require(Data(hexadecimal: key.blob))
            for place in stride(from: 0, to: bytes.count, by: isFast ? 29 : 1) {
                var changed = bytes
                changed[place] ^= 1
                let call = try TPMCall(tpm.device, "sign", changed.hexadecimal, digest)
                #expect(call.outcome == .unknownKey || call.outcome == .malformed, "byte \(place): \(call)")
            }
            for count in [0, 1, 2, 3, 40, bytes.count - 1] {
                let call = try TPMCall(tpm.device, "sign", bytes.prefix(count).hexadecimal, digest)
                #expect(call.outcome == .malformed)
            }
            #expect(try TPMCall(tpm.device, "sign", (bytes + [0]).hexadecimal, digest).outcome == .malformed)
            #expect(try TPMCall(tpm.device, "unseal", key.blob).outcome == .malformed)
        }

        @Test func `the parent that a TPM keeps is used, and nothing hangs upon it that is not below it`() throws {
            let before = try createKey()
            try tpm.keepForeignParent()
            #expect(try TPMCall(tpm.device, "sign", before.blob, digest).outcome == .done)
            let below = try createKey()
            #expect(below.blob.prefix(76) != before.blob.prefix(76))
            #expect(try TPMCall(tpm.device, "sign", below.blob, digest).outcome == .done)
            try tpm.dropKeptParent()
            #expect(try TPMCall(tpm.device, "sign", below.blob, digest).outcome == .unknownKey)
            try tpm.keepForeignParent(fit: false)
            let made = try createKey()
            #expect(made.blob.prefix(76) == before.blob.prefix(76))
            #expect(try tpm.leftObjects() == 0)
        }
    }
}

extension Data {
    /// The bytes of a text in hexadecimal.
    init?(hexadecimal text: String) {
        let digits = text.utf8.map { $0 > 0x39 ? $0 - 0x57 : $0 - 0x30 }
        guard digits.count % 2 == 0, digits.allSatisfy({ $0 < 16 }) else { return nil }
        self.init(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }
}

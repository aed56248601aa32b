// SPDX-License-Identifier: Apache-2.0

/// A code that admits one registration: an invitation, or a user's own backup code.
///
/// It is 16 symbols of five random bits each, written XXXX-XXXX-XXXX-XXXX. The symbols are Crockford's: no I, L, O or
/// U. In input, I and L count as 1, and O as 0. A client never sends the code itself, only what ``CodeSecret`` derives
/// from it.
package enum EnrollmentCode {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    package static let length = 16

    /// Makes a code with 80 random bits.
    package static func generate() throws(CryptoError) -> String {
        var text: [UInt8] = []
        for (index, byte) in try Random.bytes(length).enumerated() {
            if index > 0, index % 4 == 0 { text.append(UInt8(ascii: "-")) }
            text.append(alphabet[Int(byte & 31)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The symbols of a typed code in upper case, without hyphens and spaces; nil if the text is not such a code.
    package static func symbols(_ typed: String) -> [UInt8]? {
        guard typed.utf8.count <= 64 else { return nil }
        var symbols: [UInt8] = []
        for byte in typed.utf8 {
            let upper = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte - 32 : byte
            switch upper {
            case UInt8(ascii: "-"), UInt8(ascii: " "): continue
            case UInt8(ascii: "I"), UInt8(ascii: "L"): symbols.append(UInt8(ascii: "1"))
            case UInt8(ascii: "O"): symbols.append(UInt8(ascii: "0"))
            default:
                guard alphabet.contains(upper) else { return nil }
                symbols.append(upper)
            }
        }
        return symbols.count == length ? symbols : nil
    }
}

/// What client and server derive from an enrollment code, so that the code is never sent.
///
/// The name finds the code at the server. The key proves on both sides that the code is known, and to which device and
/// server the proof belongs. So a code that is seen on the way is worth nothing to another device, and a server
/// that does not know the code cannot pass for the one that made it.
package struct CodeSecret: ~Copyable {
    /// The length of ``name``, in bytes.
    package static let nameByteCount = 16

    /// The name under which the server finds the code, 16 bytes.
    package let name: [UInt8]
    private let key: SecretBytes

    /// - Parameter symbols: those of an ``EnrollmentCode``.
    package init(symbols: [UInt8]) throws(CryptoError) {
        // The symbols are ordinary text, because people type and read them. What they derive to is not.
        var code = try SecretBytes(capacity: max(1, symbols.count))
        code.withMutableBytes(count: symbols.count) { target in
            for index in symbols.indices { target[index] = symbols[index] }
        }
        let name = try Hash.hmac(key: code, SignedFields(label: "mpin code name 1").bytes)
        self.init(
            name: Array(name.prefix(Self.nameByteCount)),
            key: try Hash.derive(from: code, SignedFields(label: "mpin code key 1").bytes))
    }

    /// - Parameter key: the key as ``withKey(_:)`` lends it.
    package init(name: [UInt8], key: consuming SecretBytes) {
        self.name = name
        self.key = key
    }

    /// Lends the key, so that a server can seal it.
    package borrowing func withKey<R: ~Copyable, E: Error>(
        _ body: (borrowing SecretBytes) throws(E) -> R
    ) throws(E) -> R { try body(key) }

    /// The client's proof, 32 bytes.
    ///
    /// - Parameters:
    ///   - user: the user ID of the request, in UTF-8.
    ///   - deviceKey: the device's public key, 65 bytes.
    ///   - serverKeyHash: SHA-256 of the server's public key.
    package borrowing func clientProof(
        user: [UInt8], deviceKey: [UInt8], serverKeyHash: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try proof("mpin code client 1", user, deviceKey, serverKeyHash)
    }

    /// The server's proof, 32 bytes, with the parameters of ``clientProof(user:deviceKey:serverKeyHash:)``.
    package borrowing func serverProof(
        user: [UInt8], deviceKey: [UInt8], serverKeyHash: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try proof("mpin code server 1", user, deviceKey, serverKeyHash)
    }

    /// The server's proof at the first contact, before the client knows the server's key: 32 bytes.
    ///
    /// - Parameters:
    ///   - user: the user ID of the request, in UTF-8.
    ///   - challenge: the client's random bytes.
    ///   - serverKeyHash: SHA-256 of the server's public key.
    package borrowing func helloProof(
        user: [UInt8], challenge: [UInt8], serverKeyHash: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try proof("mpin code hello 1", user, challenge, serverKeyHash)
    }

    private borrowing func proof(
        _ label: StaticString, _ user: [UInt8], _ subject: [UInt8], _ serverKeyHash: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        var fields = SignedFields(label: label)
        fields.append(user)
        fields.append(subject)
        fields.append(serverKeyHash)
        return try Hash.hmac(key: key, fields.bytes)
    }
}

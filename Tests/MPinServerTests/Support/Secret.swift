// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import MPinWire

/// Bytes as a secret.
func secret(_ bytes: [UInt8]) throws -> SecretBytes {
    var secret = try SecretBytes(capacity: max(1, bytes.count))
    secret.withMutableBytes(count: bytes.count) { target in
        for index in bytes.indices { target[index] = bytes[index] }
    }
    return secret
}

/// The bytes of a secret.
func plain(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
}

/// The bytes of hexadecimal digits; empty if they are invalid.
func unhex(_ text: String) -> [UInt8] { Hex.decode(Array(text.utf8).span) ?? [] }

func hex(_ bytes: [UInt8]) -> String { HexText(bytes: bytes).string }

/// A PIN as the number taken out of the secret.
func factor(_ pin: String) throws -> PINFactor {
    try PINFactor(pin: secret(Array(pin.utf8)), scheme: .decimal)
}

// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
internal import MPinWire

/// A server that has just proven which key it has. Only ``MPinClient/hello(_:options:rpsPrefix:)`` makes one.
package struct ProvenServer: Sendable {
    let backend: Backend
    /// The path of its protocol, if it is not the usual one.
    let rpsPrefix: ByteText?
    let keyText: HexText
    let keyHash: [UInt8]

    /// The server's address, as records have it.
    package var address: String { backend.text }
    /// The server's public key, 65 bytes.
    package var key: [UInt8] { keyText.bytes }
    package let fingerprint: KeyFingerprint
    /// ``fingerprint`` as people compare it.
    package var fingerprintText: String { fingerprint.text }
}

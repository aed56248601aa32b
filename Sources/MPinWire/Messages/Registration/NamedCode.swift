// SPDX-License-Identifier: Apache-2.0

/// An enrollment code that a client knows, without the code itself; an extension.
///
/// `CodeSecret` of MPinCrypto derives both values from the code.
package struct NamedCode: Sendable, Equatable {
    /// The length of ``name``, in bytes.
    package static let nameSize = 16
    /// The length of ``proof``, in bytes.
    package static let proofSize = 32

    /// The name by which the server finds the code.
    package let name: HexText
    /// An HMAC under the code's key. It covers the user, the device key and the server's key.
    package let proof: HexText

    package init(name: HexText, proof: HexText) {
        self.name = name
        self.proof = proof
    }

    func encode(to writer: inout JSONWriter) {
        writer.add(.codeName, name)
        writer.add(.codeProof, proof)
    }

    /// Reads its members; nil if there is no name.
    static func decode(_ object: JSONObject, in body: Span<UInt8>) throws(WireError) -> NamedCode? {
        guard let name = try object.optionalHexText(.codeName, count: nameSize...nameSize, in: body) else { return nil }
        return NamedCode(
            name: name, proof: try object.hexText(.codeProof, count: proofSize...proofSize, in: body))
    }
}

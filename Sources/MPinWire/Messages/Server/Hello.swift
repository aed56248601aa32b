// SPDX-License-Identifier: Apache-2.0

/// Asks a server to prove which key it has; an extension.
package struct HelloRequest: Sendable, Equatable {
    /// Where servers take it, below their address. A client that does not know the server's settings uses this path.
    package static var path: Constant { "/mpinHello" }
    /// The length of ``challenge``, in bytes.
    package static let size = 32

    /// An enrollment code that the server must prove to know, too.
    package struct Code: Sendable, Equatable {
        /// The user whom it enrolls.
        package let userID: String
        /// Its name, as `CodeSecret` of MPinCrypto derives it.
        package let name: HexText

        package init(userID: String, name: HexText) { (self.userID, self.name) = (userID, name) }
    }

    /// Random bytes, new for each request. The proofs in the answer cover them.
    package let challenge: HexText
    package let code: Code?

    package init(challenge: HexText, code: Code? = nil) { (self.challenge, self.code) = (challenge, code) }

    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.challenge, challenge)
        if let code {
            writer.add(.userID, code.userID)
            writer.add(.codeName, code.name)
        }
        return writer.finish()
    }

    package static func decode(_ body: Span<UInt8>) throws(WireError) -> HelloRequest {
        let object = try JSONObject(request: body)
        let name = try object.optionalHexText(.codeName, count: NamedCode.nameSize...NamedCode.nameSize, in: body)
        let code = try name.map { name throws(WireError) in Code(userID: try object.text(.userID, in: body), name: name)
        }
        return HelloRequest(challenge: try object.hexText(.challenge, count: size...size, in: body), code: code)
    }
}

/// The server's key, in an answer that ends in a proof made with it; an extension.
package struct HelloResponse: Sendable, Equatable {
    /// 65 bytes.
    package let serverKey: HexText
    /// The proof that the server knows the code that the request names, 32 bytes.
    package let codeProof: HexText?

    package init(serverKey: HexText, codeProof: HexText? = nil) {
        (self.serverKey, self.codeProof) = (serverKey, codeProof)
    }

    /// The body of a server's answer, without the proof.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.serverKey, serverKey)
        if let codeProof { writer.add(.codeProof, codeProof) }
        return writer.finish()
    }

    package static func decode(_ body: Span<UInt8>) throws(WireError) -> HelloResponse {
        let object = try JSONObject(body)
        return HelloResponse(
            serverKey: try object.hexText(
                .serverKey, count: DeviceKeyFormat.publicKey...DeviceKeyFormat.publicKey, in: body),
            codeProof: try object.optionalHexText(
                .codeProof, count: NamedCode.proofSize...NamedCode.proofSize, in: body))
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import MPinCrypto
package import MPinServerStorage
internal import MPinWire

/// What a second authority must know about its relying party: the application ID, and the public half of its key.
///
/// Both are public, but their integrity matters: if an attacker makes an administrator type another line, the authority
/// serves another relying party.
package struct RelyingPartyIdentity: Sendable, Equatable {
    /// 32 hexadecimal digits.
    package let appID: String
    package let publicKey: DevicePublicKey

    private static let label = "mpin-relying-party-1-"
    private static let appIDSize = 16
    private static let checksumSize = 4

    package init(appID: String, publicKey: DevicePublicKey) { (self.appID, self.publicKey) = (appID, publicKey) }

    /// Reads the text of ``line``, with optional white space around it.
    ///
    /// - Throws: ``ServerError`` of kind `badInput` for anything else, even if a single digit is wrong.
    package init(line: String) throws(ServerError) {
        let hint = "Give the whole line \(Self.label)... that 'mpin-server init --second-authority' printed."
        let fault = ServerError(.badInput, "not the public key line of a relying party", hint: hint)
        guard line.utf8.count <= 1_024 else { throw fault }
        let text = line.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        let digits = Array(text.utf8.dropFirst(Self.label.utf8.count))
        let size = Self.appIDSize + DevicePublicKey.byteCount
        guard text.hasPrefix(Self.label), let bytes = Hex.decode(digits.span), bytes.count == size + Self.checksumSize
        else { throw fault }
        let content = Array(bytes.prefix(size))
        guard let checksum = try? Self.checksum(content), Hash.equal(Array(bytes.suffix(Self.checksumSize)), checksum)
        else { throw ServerError(.badInput, "the public key line of the relying party contains an error", hint: hint) }
        guard let key = try? DevicePublicKey(Array(content.dropFirst(Self.appIDSize))) else { throw fault }
        self.init(appID: HexText(bytes: Array(content.prefix(Self.appIDSize))).string, publicKey: key)
    }

    /// The identity with a checksum, as one word on one line, to be copied to the other host.
    package var line: String {
        get throws(ServerError) {
            guard let id = Hex.decode(Array(appID.utf8).span) else { throw ServerError.incompleteDatabase }
            let content = id + publicKey.bytes
            do throws(CryptoError) {
                return Self.label + HexText(bytes: content + (try Self.checksum(content))).string
            } catch { throw ServerError(.internalFault, "cannot compute a checksum: \(error)") }
        }
    }

    private static func checksum(_ content: [UInt8]) throws(CryptoError) -> [UInt8] {
        Array(try Hash.sha256(Array(label.utf8) + content).prefix(checksumSize))
    }
}

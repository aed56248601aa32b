// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// The shares of a client secret while the user chooses the PIN.
///
/// They are kept only in memory: on disk, they would be the secret without a PIN. This is a class so that the user
/// object can lend the shares.
final class PendingRegistration {
    /// The share of the relying party's own authority.
    private let first: SecretBytes

    /// The share of the second authority, once it has answered.
    private var second: SecretBytes?

    /// The signed query for the second authority's share. It is valid for 60 seconds.
    let parameters: ByteText

    /// The second authority's address in a proven answer; nil if that of the settings counts.
    let authority: ByteText?

    init(first: consuming SecretBytes, parameters: ByteText, authority: ByteText?) {
        self.first = first
        self.parameters = parameters
        self.authority = authority
    }

    func complete(with share: consuming SecretBytes) { second = consume share }

    /// Whether both shares are available.
    var isComplete: Bool {
        switch second {
        case .some: true
        case .none: false
        }
    }

    /// The client secret, or `nil` while a share is missing.
    func clientSecret() throws(CryptoError) -> SecretBytes? {
        switch second {
        case .some(let second): try Shares.recombine(first, second)
        case .none: nil
        }
    }
}

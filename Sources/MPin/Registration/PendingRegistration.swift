internal import MPinCrypto
internal import MPinWire

/// The shares of a client secret while the PIN is being chosen.
///
/// Kept in memory alone: written down, they would be the secret without a PIN. A class so that the user they belong to
/// can lend them.
final class PendingRegistration {
    /// The share of the relying party's own authority.
    private let first: SecretBytes

    /// The share of the second authority, once it answered.
    private var second: SecretBytes?

    /// The signed query with which the second authority hands out its share, usable for 60 seconds.
    let parameters: ByteText

    init(first: consuming SecretBytes, parameters: ByteText) {
        self.first = first
        self.parameters = parameters
    }

    func complete(with share: consuming SecretBytes) {
        second = consume share
    }

    /// Whether both shares are here.
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

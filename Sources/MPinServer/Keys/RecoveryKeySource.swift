// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
package import MPinServerStorage

/// Reads the text of a recovery key, which a person types or has kept in a file.
package typealias RecoveryKeyInput = @Sendable () throws(ServerError) -> SecretBytes

/// A recovery key to be read, and the place for the key.
package struct RecoveryKeySource: Sendable {
    let input: RecoveryKeyInput
    /// Where to store the key from now on.
    let place: KeyPlace

    package init(input: @escaping RecoveryKeyInput, place: KeyPlace) { (self.input, self.place) = (input, place) }
}

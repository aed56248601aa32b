// SPDX-License-Identifier: Apache-2.0
package import MPinServerStorage

/// A recovery key to be read, and the place for the key.
package struct RecoveryKeySource: Sendable {
    /// The file, or `-` for standard input.
    let file: String
    /// Where to store the key from now on.
    let place: KeyPlace

    package init(file: String, place: KeyPlace) { (self.file, self.place) = (file, place) }
}

package import MPinServerStorage

/// A recovery key that is to be read, and what it is read for.
package struct RecoveryKeySource: Sendable {
    /// The file, or `-` for standard input.
    let file: String
    /// Where the key is to lie from now on.
    let place: KeyPlace

    package init(file: String, place: KeyPlace) { (self.file, self.place) = (file, place) }
}

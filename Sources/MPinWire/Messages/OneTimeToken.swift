/// The one-time values that travel as hexadecimal text.
package enum OneTimeToken {
    /// How many bytes one may have; 16 is what servers use unless they are told otherwise.
    package static let sizes = 1...64
    /// How many bytes of ours have.
    package static let size = 16
}

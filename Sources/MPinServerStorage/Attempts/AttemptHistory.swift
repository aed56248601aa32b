/// The wrong PINs of a registration, as an answer to a right PIN reports them.
package struct AttemptHistory: Sendable, Equatable {
    /// How many there were since the last login.
    package let wrongBefore: Int
    /// How many more there may be, where the limit of the last days leaves fewer than the limit in a row, or one; nil
    /// otherwise.
    ///
    /// The client stores it, so that the owner is warned before the last try.
    package let left: Int?
}

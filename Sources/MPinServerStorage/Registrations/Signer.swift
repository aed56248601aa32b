/// What a signature is checked against.
package struct Signer: Sendable {
    /// The number of the registration in the database, and its key; nil where there is none with a key.
    package let registration: (id: Int64, key: [UInt8])?
    /// No time at or before this is accepted; milliseconds.
    package let horizon: Int64
}

internal import MPinCrypto
internal import MPinServerStorage

/// A direct login whose signature is good.
struct SignedLogin: Sendable {
    let identity: Identity
    let u: [UInt8]
    let v: [UInt8]
    /// The challenge that it follows from, 32 bytes.
    let y: [UInt8]
    let commitment: SignedCommitment
}

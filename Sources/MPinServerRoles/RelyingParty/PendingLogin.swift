internal import MPinServerStorage

/// A pass 1 that waits for its pass 2: the commitment of the client, and the challenge it got.
struct PendingLogin: Sendable {
    /// Names this pass 1 to a client that can repeat it; 16 random bytes.
    let passID: [UInt8]
    let u: [UInt8]
    let ut: [UInt8]
    /// The challenge, 32 bytes, good for one answer.
    let y: [UInt8]
    let source: RequestSource
    let expires: Instant
}

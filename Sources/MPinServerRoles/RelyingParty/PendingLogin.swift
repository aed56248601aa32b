// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage

/// A pass 1 that waits for its pass 2: the client's commitment, and the challenge that it got.
struct PendingLogin: Sendable {
    /// Names this pass 1 for a client that repeats the name; 16 random bytes.
    let passID: [UInt8]
    let u: [UInt8]
    let ut: [UInt8]
    /// The challenge, 32 bytes, valid for one answer.
    let y: [UInt8]
    let source: RequestSource
    let expires: Instant
}

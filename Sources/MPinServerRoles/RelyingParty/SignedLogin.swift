// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage

/// A direct login whose signature is valid.
struct SignedLogin: Sendable {
    let identity: Identity
    let u: [UInt8]
    let v: [UInt8]
    /// The challenge that follows from it, 32 bytes.
    let y: [UInt8]
    let commitment: SignedCommitment
}

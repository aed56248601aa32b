// SPDX-License-Identifier: Apache-2.0

/// A pass 2 and the verdict on it.
struct PassTwoResult: Sendable {
    let verdict: LoginVerdict
    let mpinID: [UInt8]
    /// SHA-256 of ``mpinID``.
    let hash: [UInt8]
    let purpose: LoginPurpose
}

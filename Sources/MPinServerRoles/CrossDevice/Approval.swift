// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage

/// A verified login for a waiting session.
struct Approval: Sendable {
    let user: String
    let history: AttemptHistory
    /// SHA-256 of the M-Pin ID that logged in.
    let hash: [UInt8]
    /// The waiting side redeems the login with it. The device never gets it.
    let handle: [UInt8]
    /// The source of the device's request.
    let source: RequestSource
    /// After this time the login can no longer be redeemed.
    let deadline: Instant
    /// The response to the device's request, completed when the login is redeemed.
    let deferred: DeferredResponse
}

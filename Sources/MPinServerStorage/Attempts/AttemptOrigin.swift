// SPDX-License-Identifier: Apache-2.0

/// How an attempt arrived. A registration with a key accepts only what its device has signed, and one without a key
/// only unsigned attempts.
package enum AttemptOrigin: Sendable {
    /// By two passes, which any client can send.
    ///
    /// - isTaken: whether the server still accepts such logins.
    case twoPasses(isTaken: Bool)
    /// Signed by the device.
    case direct(SignedCommitment)

    /// The key that the registration must have.
    var key: [UInt8]? {
        if case .direct(let commitment) = self { commitment.key } else { nil }
    }

    var isTaken: Bool {
        if case .twoPasses(let isTaken) = self { isTaken } else { true }
    }
}

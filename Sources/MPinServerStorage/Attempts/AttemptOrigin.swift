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
    var key: [UInt8]? { if case .direct(let commitment) = self { commitment.key } else { nil } }

    var isTaken: Bool { if case .twoPasses(let isTaken) = self { isTaken } else { true } }
}

/// The commitment of a direct login whose signature is valid.
package struct SignedCommitment: Sendable {
    /// The key that has signed it, 65 bytes.
    let key: [UInt8]
    /// SHA-256 of U.
    let hash: [UInt8]
    /// Milliseconds since 1970-01-01 UTC, as the device has signed it.
    let time: Int64

    package init(key: [UInt8], hash: [UInt8], time: Int64) { (self.key, self.hash, self.time) = (key, hash, time) }
}

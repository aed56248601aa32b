/// How an attempt has come. A registration with a key takes nothing that its device has not signed, one without a key
/// nothing signed.
package enum AttemptOrigin: Sendable {
    /// By two passes, which anybody may send.
    ///
    /// - isTaken: whether the server still has such logins.
    case twoPasses(isTaken: Bool)
    /// Signed by the device.
    case direct(SignedCommitment)

    /// The key that the registration has to have.
    package var key: [UInt8]? {
        if case .direct(let commitment) = self { commitment.key } else { nil }
    }

    package var isTaken: Bool {
        if case .twoPasses(let isTaken) = self { isTaken } else { true }
    }
}

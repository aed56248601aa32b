// SPDX-License-Identifier: Apache-2.0
#if !hasFeature(Embedded)
package import MPinWire

extension MPinError {
    /// An error that another process of this machine has reported.
    ///
    /// - Parameters:
    ///   - sentence: the text of ``sentence``.
    ///   - authority: the text of ``prefix``.
    package init(
        _ code: MPinStatus, relayed sentence: ByteText, of authority: ByteText, attemptsLeft: Int?,
        pinChecked: PINChecked, httpStatus: Int?, cause: Cause, retryAfter: Int?
    ) {
        self.init(
            code, Constant(kept: sentence), attemptsLeft: attemptsLeft, pinChecked: pinChecked, httpStatus: httpStatus,
            cause: cause)
        setPrefix(authority)
        setRetryAfter(retryAfter)
    }
}
#endif

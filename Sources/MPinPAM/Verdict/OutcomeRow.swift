// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// The module's answer to one outcome; see ``LoginOutcome/row(failure:)``.
///
/// It is a class because it is expensive to copy.
final class OutcomeRow {
    /// The return code for a caller who may know everything.
    let code: ReturnCode
    /// The word in the log: the status if there is one.
    let word: Constant
    /// The message for a caller who may know everything.
    let message: Message?
    /// Details for the administrator beyond the word.
    let reason: ByteText?
    /// How many tries are left, if the server reported it.
    let left: Int?

    @inline(never)
    init(
        _ code: ReturnCode, _ word: Constant, _ message: Message? = nil, reason: ByteText? = nil, left: Int? = nil
    ) {
        self.code = code
        self.word = word
        self.message = message
        self.reason = reason
        self.left = left
    }
}

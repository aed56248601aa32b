internal import MPinWire

/// What the module answers to one outcome; see ``LoginOutcome/row(failure:)``.
///
/// A class because it is long to copy.
final class OutcomeRow {
    /// The return code for a caller who may know everything.
    let code: ReturnCode
    /// The word in the log: the status where there is one.
    let word: Constant
    /// The sentence for a caller who may know everything.
    let message: Message?
    /// What the administrator needs to know beyond the word.
    let reason: ByteText?
    /// How many tries are left, where the server said so.
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

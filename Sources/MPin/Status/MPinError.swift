/// Why an SDK call failed.
public struct MPinError: Error, Sendable {
    /// Whether the server may have counted an attempt.
    public enum PINChecked: Sendable {
        /// Nothing from which the server could judge the PIN has left this machine.
        case no
        /// It may have: the answer did not arrive, or said nothing about it.
        case maybe
        /// It has judged.
        case yes
    }

    /// The status by its Milagro name.
    public let code: MPinStatus

    /// One sentence that may be shown and logged: never a body, a URL, a PIN or anything else of the user's.
    public let message: String

    /// How many attempts the server says are left. For display only; a verdict never depends on it.
    public let attemptsLeft: Int?

    /// Whether an attempt may have been spent.
    public let pinChecked: PINChecked

    /// The HTTP status behind the failure, where there was one.
    package let httpStatus: Int?

    package init(
        _ code: MPinStatus, _ message: StaticString, attemptsLeft: Int? = nil, pinChecked: PINChecked = .no,
        httpStatus: Int? = nil
    ) {
        self.code = code
        self.message = message.text
        self.attemptsLeft = attemptsLeft
        self.pinChecked = pinChecked
        self.httpStatus = httpStatus
    }

    /// The same failure with another answer to whether an attempt may have been spent.
    func with(_ pinChecked: PINChecked) -> MPinError {
        MPinError(self, pinChecked: pinChecked)
    }

    private init(_ other: MPinError, pinChecked: PINChecked) {
        code = other.code
        message = other.message
        attemptsLeft = other.attemptsLeft
        httpStatus = other.httpStatus
        self.pinChecked = pinChecked
    }
}

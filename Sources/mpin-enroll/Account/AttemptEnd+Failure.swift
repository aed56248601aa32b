import MPin

extension AttemptEnd {
    /// What a failed login means for the count of wrong PINs.
    init(_ error: MPinError, of user: User) {
        switch (error.pinChecked, error.attemptsLeft) {
        case _ where error.code == .incorrectPIN && user.state == .blocked: self = .wrong(left: 0)
        case (.yes, let left?) where error.code == .incorrectPIN: self = .wrong(left: left)
        case (.no, _): self = .notCounted
        default: self = .maybeCounted
        }
    }
}

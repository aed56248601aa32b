extension MPin {
    /// What is noted about attempts at a registration.
    package func attemptCounts(of user: User) -> AttemptCounts {
        switch AttemptNotes(of: user, in: store, create: false) {
        case .some(let notes): notes.counts
        case .none: AttemptCounts()
        }
    }

    /// Notes an attempt, makes it, and notes how it ended.
    ///
    /// - Parameters:
    ///   - permitted: judges what is noted with this attempt among it; `nil` where it cannot be noted. When it says no,
    ///     nothing is sent.
    ///   - work: the attempt.
    /// - Returns: whether it was permitted.
    package mutating func noting(
        _ user: User, _ permitted: (AttemptCounts?, Int?) -> Bool, _ work: (inout MPin) throws(MPinError) -> Void
    ) throws(MPinError) -> Bool {
        var notes = AttemptNotes(of: user, in: store, create: true)
        let isNoted = notes?.begin() ?? false
        // Another process may have heard from the server since the record was read.
        readLastContact(of: user)
        guard permitted(isNoted ? notes?.counts : nil, user.attemptsLeft) else {
            if isNoted { notes?.end(.notCounted) }
            return false
        }
        do throws(MPinError) { try work(&self) } catch {
            if isNoted { notes?.end(error.attemptEnd) }
            throw error
        }
        if isNoted { notes?.end(.notCounted) }
        return true
    }

    /// Forgets the attempts at a registration that has logged in.
    func forgetAttempts(at user: User) {
        AttemptNotes(of: user, in: store, create: false)?.clear()
    }
}

extension MPinError {
    /// How an attempt ended that failed so.
    package var attemptEnd: AttemptEnd {
        if code == .incorrectPIN, pinChecked == .yes {
            if httpStatus == 410 { return .wrong(left: 0) }
            return attemptsLeft.map { .wrong(left: $0) } ?? .maybeCounted
        }
        return pinChecked == .no ? .notCounted : .maybeCounted
    }
}

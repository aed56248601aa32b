import MPin
import MPinConfiguration
import MPinPAM

// Every program of a user may ask mpin-agent. So the last try before a block is protected there as in a login, whatever
// asks for it; root, who runs this program otherwise, is trusted with it.
extension TargetAccount {
    /// Makes one attempt with a login that has been started.
    ///
    /// Whom the agent serves gives the PIN once more before the last try.
    /// - Parameter again: starts another login, where the first was not finished.
    func attempt<R>(
        _ started: consuming PendingAuthentication, _ client: inout MPinClient, as user: User, _ pin: borrowing PIN,
        from source: PINSource, failure: (MPinError) -> CommandFailure,
        again: (inout MPinClient) throws(MPinError) -> PendingAuthentication,
        finish: (inout MPinClient, borrowing PendingAuthentication) throws(MPinError) -> R
    ) throws(CommandFailure) -> R {
        guard ServedPerson.current != nil, configuration.guardLast else {
            do throws(MPinError) { return try finish(&client, started) } catch { throw failure(error) }
        }
        var pending = started
        var isConfirmed = policy(client.attemptCounts(of: user), user).isLastTry
        if isConfirmed { try confirm(pin, source) }
        while true {
            let notes = client.beginAttempt(at: user)
            pending.keepsLastTry = !isConfirmed
            let isKept = pending.keepsLastTry && pending.serverKeepsLastTry
            if !isConfirmed, !isKept, policy(notes?.counts, user).isLastTryNow {
                notes?.end(.notCounted)
            } else {
                do throws(MPinError) {
                    let result = try finish(&client, pending)
                    notes?.end(.notCounted)
                    return result
                } catch {
                    notes?.end(AttemptEnd(error, of: user))
                    guard isKept, error.isLastTryKept else { throw failure(error) }
                }
            }
            try confirm(pin, source)
            isConfirmed = true
            do throws(MPinError) { pending = try again(&client) } catch { throw failure(error) }
        }
    }

    private func policy(_ counts: AttemptCounts?, _ user: User) -> AttemptPolicy {
        AttemptPolicy(
            counts: counts, attemptsLeft: user.attemptsLeft, handle: HandleAttempts(memory: 0), protectsLastTry: true)
    }

    /// Asks for the PIN again, as the module does before the last try.
    private func confirm(_ pin: borrowing PIN, _ source: PINSource) throws(CommandFailure) {
        let again = try source.pin(
            prompt: "Last try before the enrolment is blocked. The same PIN again: ", mayBeEmpty: true)
        guard pin.equals(again) else {
            throw CommandFailure(
                .cancelled, "PIN_INPUT_CANCELED", "The two differ. No try was spent.", advice: source.afterCancelling)
        }
    }
}

extension AttemptEnd {
    /// What a failed login means for the count of wrong PINs.
    fileprivate init(_ error: MPinError, of user: User) {
        switch (error.pinChecked, error.attemptsLeft) {
        case _ where error.code == .incorrectPIN && user.state == .blocked: self = .wrong(left: 0)
        case (.yes, let left?) where error.code == .incorrectPIN: self = .wrong(left: left)
        case (.no, _): self = .notCounted
        default: self = .maybeCounted
        }
    }
}

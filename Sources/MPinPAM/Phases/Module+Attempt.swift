// SPDX-License-Identifier: Apache-2.0
internal import MPin
internal import MPinConfiguration
internal import MPinWire

extension Module {
    /// The policy for the next attempt with a registration, as far as this machine knows the facts.
    ///
    /// - Parameter begins: whether to note the attempt, which is made now.
    @inline(never)
    func attemptPolicy(_ call: ModuleCall, _ registration: S.Registration?, begins: Bool = false)
        -> AttemptPolicy
    {
        AttemptPolicy(
            counts: begins ? registration?.beginAttempt() : registration?.attemptCounts,
            attemptsLeft: registration?.attemptsLeft, handle: HandleAttempts(memory: host.memory(of: call.accountName)),
            protectsLastTry: call.configuration.guardLast)
    }

    /// Sends the PIN and returns the outcome.
    ///
    /// - Parameter isConfirmed: whether the user has typed the PIN twice, knowing that it is the last try.
    @inline(never)
    mutating func send(
        _ pin: borrowing PIN, to registration: S.Registration, _ call: ModuleCall, isConfirmed: Bool
    ) -> LoginOutcome {
        do throws(MPinError) { try registration.startAuthentication() } catch {
            return Self.outcome(error, of: registration, call)
        }
        // Checked again: other processes may have used tries while this one waited for the answer.
        let policy = attemptPolicy(call, registration, begins: true)
        if policy.isClosed || (call.trust == .known && !isConfirmed && policy.isLastTryNow) {
            registration.endAttempt(.notCounted)
            return .lastTryKept
        }
        var outcome = LoginOutcome.loggedIn
        var attemptEnd = AttemptEnd.notCounted
        do throws(MPinError) { try registration.finishAuthentication(pin) } catch {
            outcome = Self.outcome(error, of: registration, call)
            attemptEnd = AttemptEnd(error, isBlocked: registration.state == .blocked)
        }
        registration.endAttempt(attemptEnd)
        var handle = HandleAttempts(memory: host.memory(of: call.accountName))
        if case .loggedIn = outcome {
            call.notice = Message.wrong(before: registration.wrongSinceLastLogin, own: handle.wrong)
            handle.reset()
        } else {
            handle.note(attemptEnd)
        }
        host.setMemory(handle.memory, of: call.accountName)
        return outcome
    }

    /// Converts the error of an SDK call to an outcome.
    @inline(never)
    static func outcome(_ error: MPinError, of registration: S.Registration, _ call: ModuleCall) -> LoginOutcome {
        (call.sentence, call.line.prefix) = (error.sentence, error.prefix)
        if registration.state == .blocked { return error.code == .incorrectPIN ? .blockedNow : .blockedBefore }
        if error.isLocal { return .failedHere(error) }
        if error.cause == .unknownDevice { return .deviceUnknown }
        if error.cause == .lostKey { return .keyLost }
        if error.cause == .unproven { return .unproven }
        return .refused(error.code, attemptsLeft: error.attemptsLeft, pinChecked: error.pinChecked)
    }
}

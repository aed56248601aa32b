internal import MPinCrypto
internal import MPinWire

extension MPin {
    /// Makes a BLOCKED user REGISTERED again, when the server has lifted the block and the PIN logs in.
    ///
    /// A server that still blocks says so without judging the PIN.
    /// - Throws: INCORRECT_PIN while the server blocks, or for a wrong PIN, which counts; the user stays BLOCKED.
    package mutating func liftBlock(of user: User, pin: borrowing PIN) throws(MPinError) {
        guard isListed(user), user.state == .blocked else {
            throw MPinError(.flowError, "Only a blocked user can be unblocked.")
        }
        guard let backend, user.record.backend == backend.address else {
            throw MPinError(.flowError, "This user is registered at another server.")
        }
        let candidate = user.twin()
        candidate.pinScheme = user.pinScheme
        candidate.record.pinLength = user.record.pinLength
        // So that a success is known to have something to clear.
        candidate.attemptsLeft = user.attemptsLeft
        do throws(CryptoError) {
            candidate.token = try user.withToken { token throws(CryptoError) in try token.copy() }
        } catch {
            throw MPinError(error)
        }
        let deadline = deadline()
        let pending = try start(candidate, deadline)
        _ = try finish(pending, as: candidate, pin: pin, final: .authenticate)
        try stored { store throws(StoreError) in try RecordFile.write(candidate, to: store) }
        user.state = .registered
        user.attemptsLeft = nil
    }
}

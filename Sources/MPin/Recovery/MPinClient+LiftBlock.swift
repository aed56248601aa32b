// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Makes a BLOCKED user REGISTERED again, if the server has lifted the block and the PIN logs in.
    ///
    /// A server that still blocks the user answers without judging the PIN.
    /// - Parameters:
    ///   - user: a user in state BLOCKED at the server in use.
    ///   - pin: the existing PIN.
    /// - Throws: INCORRECT_PIN while the server blocks the user, or for a wrong PIN, which counts; the user stays
    ///   BLOCKED.
    ///
    /// Milagro: none
    public mutating func liftBlock(of user: User, pin: borrowing PIN) throws(MPinError) {
        try requireHere(user)
        try requireUnchanged(user)
        guard user.state == .blocked else { throw user.wrongState }
        let renewed = user.twin()
        renewed.pinScheme = user.pinScheme
        renewed.record.pinLength = user.record.pinLength
        // A successful login then knows that there is something to clear.
        renewed.attemptsLeft = user.attemptsLeft
        do throws(CryptoError) {
            renewed.token = try user.withToken { token throws(CryptoError) in try token.copy() }
        } catch {
            throw MPinError(error)
        }
        let deadline = deadline()
        do throws(MPinError) {
            let pending = try beginLogin(of: renewed, until: deadline)
            _ = try logIn(pending, as: renewed, pin: pin, .login)
        } catch {
            // Callers read the refusal from the user object that they have.
            readLastContact(of: user)
            throw error
        }
        try commit(renewed, over: user)
        user.state = .registered
        (user.attemptsLeft, user.wrongSinceLastLogin) = (renewed.attemptsLeft, renewed.wrongSinceLastLogin)
        user.forgetRefusal()
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension User {
    /// Lends the token, if there is one.
    func withToken<R: ~Copyable, E: Error>(_ body: (borrowing SecretBytes) throws(E) -> R) throws(E) -> R? {
        switch token {
        case .some(let token): try body(token)
        case .none: nil
        }
    }

    /// Draws x and computes U, and UT for a login with a time permit, from the token and the PIN.
    @inline(never)
    func session(pin: borrowing PIN, _ permit: borrowing TimePermit? = nil) throws(MPinError) -> ClientSession {
        let mpinID = try requireMPinID()
        let session: ClientSession?
        do throws(CryptoError) {
            let factor = try PINFactor(pin: pin.bytes, scheme: pinScheme)
            let identity = try Identity(mpinID: mpinID.bytes)
            session = try withToken { token throws(CryptoError) in
                switch permit {
                case .none: try ClientSession(identity: identity, token: token, factor: factor)
                case .some(let permit):
                    try ClientSession(
                        identity: identity, token: token, factor: factor, permit: permit.point, day: permit.day)
                }
            }
        } catch { throw MPinError(error) }
        guard let session else { throw MPinError(.cryptoError, "This user's record has no token.") }
        return session
    }
}

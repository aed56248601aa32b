// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage

/// A direct login whose signature is valid.
struct SignedLogin: Sendable {
    let identity: Identity
    let u: [UInt8]
    let v: [UInt8]
    /// The challenge that follows from it, 32 bytes.
    let y: [UInt8]
    let commitment: SignedCommitment
}

extension LoginVerifier {
    /// Verifies a direct login.
    ///
    /// - Throws: ``Refusal`` if it cannot or must not be verified now. Then nothing was counted.
    func verify(_ login: SignedLogin, source: RequestSource, at now: Timestamp) throws(Refusal) -> LoginVerdict? {
        let hash = login.identity.hash
        return try counted { () throws(Refusal) in
            try attempt(hash, origin: .direct(login.commitment), source: source, at: now) { reservation in
                verifier.accepts(identity: login.identity, day: nil, u: login.u, ut: nil, y: login.y, v: login.v)
                    ? right(reservation, hash, at: now) : wrong(reservation, hash, at: now, source: source)
            }
        }
    }
}

import MPin

extension TargetAccount {
    /// Has the server revoke other registrations of the identity, authorised by a login of the registration in use.
    ///
    /// - Returns: whether all are revoked. A failure does not affect the registration in use.
    func revoke(_ mpinIDs: [String], pin: NewPIN) -> Bool {
        var isRevoked = true
        do {
            var client = try open()
            let user = try existing(in: client)
            try client.setBackend(of: user)
            guard client.offers("revoke") else { return false }
            for mpinID in mpinIDs where mpinID != user.mpinID {
                do throws(MPinError) {
                    let pending = try client.startAuthentication(user)
                    try pin.withPIN { pin throws(MPinError) in
                        try client.revoke(registration: mpinID, by: pending, pin: pin)
                    }
                } catch {
                    // The server does not know it: nothing is left to revoke.
                    if error.httpStatus != 404 { isRevoked = false }
                }
            }
        } catch { return false }
        return isRevoked
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// Migration: a registration that has logged in by two passes gets a key, and its logins are direct from then on.
extension Application {
    /// Gives the registration of a login its key.
    ///
    /// This is the only write in an endpoint whose requests otherwise need none. It happens once for each registration,
    /// because one with a key no longer reaches this code.
    func bind(
        _ binding: DeviceBinding, to result: PassTwoResult, handle: [UInt8], by login: VerifiedLogin
    ) throws {
        guard case .login = result.purpose else {
            throw Refusal(400, "Invalid data received. A device can bind a key only with its own login")
        }
        let key = binding.publicKey.bytes
        let publicKey = try? DevicePublicKey(key)
        let isSigned = try context.names.contains { name in
            let digest = try DeviceStatement.binding(
                publicKey: key, serverID: name, mpinID: result.mpinID, handle: handle)
            return publicKey?.accepts(binding.signature.bytes, over: digest) == true
        }
        guard isSigned else {
            throw Refusal(400, "Invalid data received. The key is invalid, or did not sign this login")
        }
        let now = clock.now
        let bound: KeyBinding
        do throws(ServerError) {
            bound = try store.bindKey(
                key, to: login.registration, limits: configuration.attemptLimits,
                event: { login.event(.keyBound(device: $0), at: now) })
        } catch {
            // The login was not used for anything, so the client may present it again.
            results.add(result, handle: handle, at: clock.monotonic())
            throw error
        }
        switch bound {
        case .bound: return
        case .another:
            if let registration = try store.registration(login.registration) {
                let action = AuditAction.refused(.unsigned(UnsignedAttempt(registration)))
                audit.add(AuditEvent(action, at: now, user: login.user, source: login.source.text))
            }
            throw Refusal(409, "The registration has another key")
        case .barred:
            try good(login.registration, user: login.user, source: login.source)
            throw Refusal.failure
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerRoles
package import MPinServerStorage
internal import MPinWire
internal import ShellSyntax

/// Changes to users and their devices. Without a device, a change applies to the user.
extension Administrator {
    /// Lets a user try again after wrong PINs, on the blocked devices that are not revoked, or on one device.
    ///
    /// - Returns: how many devices were changed. A named device is cleared of wrong PINs even if it is not blocked yet.
    package func unblock(_ user: String, device: Int? = nil) throws(ServerError) -> Int {
        let (now, actor) = (clock.now, actor)
        let done = try store.unblock(
            user, device: device, limits: configuration.roles.attemptLimits, now: now.seconds,
            event: { AuditEvent(.unblocked(devices: $0), at: now, user: user, actor: actor) })
        return try count(done, user, device) { _ in ("is revoked, and 'unblock' cannot restore it", "user show") }
    }

    /// Revokes one device. Without a device, revokes all devices and open invitations of the user, and suspends the
    /// user: until ``restore(_:device:)``, the user can register only with an invitation that is made later.
    package func revoke(_ user: String, device: Int? = nil, reason: String?) throws(ServerError) -> Int {
        if let reason, !UserName.isPrintable(reason) {
            throw ServerError(.badInput, "a reason must be 1 to 256 bytes, without control or invisible characters")
        }
        let (now, actor) = (clock.now, actor)
        let done: DeviceChange
        if let device {
            done = try store.revokeDevice(
                device, of: user, reason: reason, now: now.seconds,
                event: AuditEvent(.revoked(devices: [device], reason: reason), at: now, user: user, actor: actor))
        } else {
            done = try store.suspendUser(
                user, reason: reason, now: now.seconds,
                event: { numbers in
                    AuditEvent(.suspended(devices: numbers, reason: reason), at: now, user: user, actor: actor)
                })
        }
        return try count(done, user, device) { device in
            let isOwners = device.revoker == UserRecord.Revoker.owner
            return (isOwners ? "was already revoked by its owner" : "is already revoked", "user show")
        }
    }

    /// Restores one device. Without a device, undoes the last revocation of the user and the suspension. What was
    /// revoked individually, earlier, or by its owner stays revoked.
    package func restore(_ user: String, device: Int? = nil) throws(ServerError) -> Int {
        let (now, actor) = (clock.now, actor)
        let done: DeviceChange
        if let device {
            done = try store.restoreDevice(
                device, of: user, now: now.seconds,
                event: AuditEvent(.restored(devices: [device]), at: now, user: user, actor: actor))
        } else {
            done = try store.restoreUser(
                user,
                event: { numbers in
                    AuditEvent(.suspensionLifted(devices: numbers), at: now, user: user, actor: actor)
                })
        }
        return try count(done, user, device) { device in
            device.revoked == nil
                ? ("is not revoked", "user show")
                : ("was revoked by its owner and must enroll again with an invitation", "invite")
        }
    }

    /// - Parameter why: why a device cannot be changed, and the command to run next.
    private func count(
        _ change: DeviceChange, _ user: String, _ device: Int?, why: (RegistrationEntry) -> (String, String)
    ) throws(ServerError) -> Int {
        let name = "device \(device ?? 0) of \(user)"
        let word = ShellWord.quoted(user)
        switch change {
        case .none: throw Self.unknown(user)
        case .noDevice: throw ServerError(.noSuchDevice, "there is no \(name)", next: "user show \(word)")
        case .unfit(let registration):
            let (text, command) = why(registration)
            throw ServerError(.nothingToChange, "\(name) \(text)", next: "\(command) \(word)")
        case .changed(let numbers): return numbers.count
        }
    }

    /// Deletes everything that is stored about a user. The audit log keeps the user's events under a random pseudonym.
    package func purge(_ user: String) throws(ServerError) -> (purged: PurgedUser, pseudonym: String) {
        let pseudonym: String
        do throws(CryptoError) { pseudonym = "purged-" + HexText(bytes: try Random.bytes(4)).string } catch {
            throw ServerError(.internalFault, "cannot make a pseudonym")
        }
        let purged = try store.purgeUser(
            user, mailbox: MailAddress(user)?.mailbox, as: pseudonym,
            event: AuditEvent(.purged, at: clock.now, user: pseudonym, actor: actor))
        guard let purged else { throw Self.unknown(user) }
        return (purged, pseudonym)
    }

    /// Replaces a purged user with the pseudonym in events that a running server has written since.
    package func forget(_ user: String, as pseudonym: String) throws(ServerError) {
        _ = try store.forgetUser(user, as: pseudonym)
    }
}

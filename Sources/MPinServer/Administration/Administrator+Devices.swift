internal import CommandSyntax
internal import MPinServerRoles
package import MPinServerStorage

/// The state of users and their devices. Without a device, each of these is about the user.
extension Administrator {
    /// Lets a user try again after wrong PINs: on the devices that are blocked and not revoked, or on one.
    ///
    /// - Returns: how many devices it has changed; a device that is named is cleared of wrong PINs before it is blocked too.
    package func unblock(_ user: String, device: Int? = nil) throws(ServerError) -> Int {
        let (now, actor) = (clock.now, actor)
        let done = try store.unblock(
            user, device: device, limits: configuration.roles.attemptLimits, now: now.seconds,
            event: { AuditEvent(.unblocked(devices: $0), at: now, user: user, actor: actor) })
        return try count(done, user, device) { _ in "is revoked, and 'unblock' does not change that" }
    }

    /// Revokes one device; or what the user has now, devices and open invitations, and suspends the user: until
    /// ``restore(_:device:)`` nothing of the user is admitted any more but what an invitation brings that is made later.
    ///
    /// - Returns: how many registrations it has changed.
    package func revoke(_ user: String, device: Int? = nil, reason: String?) throws(ServerError) -> Int {
        if let reason, !UserName.isValid(reason) {
            throw ServerError(.badInput, "a reason must be 1 to 256 bytes, without control characters")
        }
        let (now, actor) = (clock.now, actor)
        let done: DeviceChange
        if let device {
            done = try store.revokeDevice(
                device, of: user, reason: reason, now: now.seconds,
                event: AuditEvent(
                    .revoked(devices: [device], reason: reason), at: now, user: user, actor: actor))
        } else {
            done = try store.suspendUser(
                user, reason: reason, now: now.seconds,
                event: { numbers in
                    AuditEvent(.suspended(devices: numbers, reason: reason), at: now, user: user, actor: actor)
                })
        }
        return try count(done, user, device) { device in
            device.revoker == UserRecord.Revoker.owner
                ? "was already revoked by its owner" : "is already revoked separately"
        }
    }

    /// Takes back that a device was revoked; or the last revocation of the user, with the suspension. What was revoked
    /// by itself, before, or by its owner stays so then.
    ///
    /// - Returns: how many registrations it has changed.
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
                ? "is not revoked" : "was revoked by its owner and must enroll again with an invitation"
        }
    }

    /// - Parameter why: what keeps the change from a device.
    private func count(
        _ change: DeviceChange, _ user: String, _ device: Int?, why: (RegistrationRecord) -> String
    ) throws(ServerError) -> Int {
        let name = "device \(device ?? 0) of \(user)"
        let look = "user show \(ShellWord.quoted(user))"
        switch change {
        case .none: throw Self.unknown(user)
        case .noDevice: throw ServerError(.noSuchDevice, "there is no \(name)", next: look)
        case .unfit(let registration):
            throw ServerError(.nothingToChange, "\(name) \(why(registration))", next: look)
        case .changed(let numbers): return numbers.count
        }
    }
}

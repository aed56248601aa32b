// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// What users do for themselves, each with a login of its own: manage their devices, invitations for other devices,
/// backup codes, and the sessions that they have signed in.
struct OwnerService: ServerComponent {
    /// Seconds for which a user's own invitation is valid, and the allowed range.
    static let invitationSeconds = 900
    static let invitationRange = 60...3_600
    /// How many backup codes a user may have at the same time.
    static let backupCodeCounts = 1...20
    /// How many devices are listed, the latest ones, because clients read 65,536 bytes.
    private static let longestList = 100

    let context: ServerContext
    let application: Application
    let invitations: SigningKey
    let backupCodes: SigningKey

    /// Does what a login is for.
    func answer(_ action: OwnerAction, by login: VerifiedLogin) throws -> [UInt8] {
        try check(action)
        return try perform(action, of: login).encode(
            userID: login.user, serverID: application.serverID, attemptsLeft: login.history.left)
    }

    /// Refuses invalid arguments, which no user may send.
    func check(_ action: OwnerAction) throws {
        switch action {
        case .invite(let seconds?) where !(Self.invitationRange ~= seconds):
            throw Refusal(400, "Invalid data received. ttlSeconds argument invalid")
        case .makeBackupCodes(let count) where !(Self.backupCodeCounts ~= count):
            throw Refusal(400, "Invalid data received. count argument invalid")
        default: return
        }
    }

    private func perform(_ action: OwnerAction, of owner: VerifiedLogin) throws -> OwnerResponse {
        switch action {
        case .devices, .signOut: break
        // Each of these stores something, and a line in the audit log.
        case .revokeDevice, .invite, .makeBackupCodes, .confirmBackupCodes:
            guard limits.changes.take(.account(owner.user), at: clock.monotonic()) else { throw Refusal.tooMany }
        }
        switch action {
        case .devices: return try devices(of: owner)
        case .revokeDevice(let number): return try revoke(number, of: owner)
        case .invite(let seconds): return try invite(owner, seconds: seconds ?? Self.invitationSeconds)
        case .makeBackupCodes(let count): return try makeBackupCodes(count, for: owner)
        case .confirmBackupCodes(let batch): return try confirmBackupCodes(batch, of: owner)
        case .signOut(let all): return try signOut(owner, all: all)
        }
    }

    private func devices(of owner: VerifiedLogin) throws -> OwnerResponse {
        let now = clock.now.seconds
        let current = try store.registration(owner.registration)?.number
        let record = try store.users(named: owner.user, limits: configuration.attemptLimits, now: now).first
        var response = OwnerResponse()
        // Any client may begin registrations in the name of any user. They wait for a verification that only the user
        // can pass.
        let devices: [UserRecord.Device] = record?.devices ?? []
        response.devices = devices.filter { $0.state != .started }.suffix(Self.longestList).map { device in
            OwnedDevice(
                number: device.number, name: device.name, state: device.state.rawValue, created: device.created.zulu,
                isCurrent: device.number == current)
        }
        response.backupCodes = record?.backupCodes ?? 0
        return response
    }

    private func revoke(_ number: Int, of owner: VerifiedLogin) throws -> OwnerResponse {
        let now = clock.now
        let revoked = try store.revokeOwnDevice(
            number, of: owner.user, now: now.seconds, event: owner.event(.revokedByOwner(device: number), at: now))
        guard revoked != nil else { throw Refusal(404, "No such device of this user") }
        return OwnerResponse()
    }

    /// Makes an invitation. It gives no more rights than its maker has: it does not lift a suspension, and it becomes
    /// invalid with the device that has made it.
    private func invite(_ owner: VerifiedLogin, seconds: Int) throws -> OwnerResponse {
        let now = clock.now
        let expires = now.adding(seconds: Int64(seconds))
        let code = try invitations.makeCode(for: owner.user)
        let isMade = try store.addInvitation(
            code.stored, user: owner.user, now: now.seconds, expires: expires.seconds, maker: owner.registration,
            event: owner.event(.invited(until: expires, byOwner: true), at: now))
        guard isMade else { throw try barred(owner.user) }
        var response = OwnerResponse()
        (response.code, response.expires) = (code.text, expires.zulu)
        return response
    }

    private func makeBackupCodes(_ count: Int, for owner: VerifiedLogin) throws -> OwnerResponse {
        guard !configuration.verifiesByHook else { throw Refusal(404, "This server has no backup codes") }
        let codes = try (0..<count).map { _ in try backupCodes.makeCode(for: owner.user) }
        var response = OwnerResponse()
        // Random, so that a confirmation cannot mean another batch than the one that was shown.
        let batch = try Random.bytes(4).reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF + 1
        let isMade = try store.addBackupCodes(
            codes.map(\.stored), batch: batch, user: owner.user, maker: owner.registration, now: clock.now.seconds)
        guard isMade else { throw try barred(owner.user) }
        (response.batch, response.codes) = (batch, codes.map(\.text))
        return response
    }

    private func confirmBackupCodes(_ batch: Int, of owner: VerifiedLogin) throws -> OwnerResponse {
        let now = clock.now
        let count = try store.confirmBackupCodes(
            batch, user: owner.user, maker: owner.registration, now: now.seconds,
            event: owner.event(.backupCodesMade(batch: batch), at: now))
        guard let count else { throw Self.noSuchBatch }
        var response = OwnerResponse()
        response.backupCodes = count
        return response
    }

    private func signOut(_ owner: VerifiedLogin, all: Bool) throws -> OwnerResponse {
        let ended = application.webSessions.end(
            user: owner.user, lastOf: all ? nil : owner.registration, at: clock.monotonic())
        if ended > 0 { audit.addOwn(owner.event(.logout(fromDevice: ended), at: clock.now), of: owner.user) }
        var response = OwnerResponse()
        response.count = ended
        return response
    }

    /// The refusal of a device that may make no codes: its user is suspended, or it was revoked since the login.
    private func barred(_ user: String) throws -> Refusal {
        let isSuspended = try store.suspension(barring: user) != nil
        return Refusal(
            403, isSuspended ? "The user is suspended, so no device can make codes" : "This device was revoked")
    }

    private static var noSuchBatch: Refusal {
        Refusal(404, "There are no such backup codes to confirm; newer codes may have replaced them")
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// The questions of a device about its own registration before the user types a PIN. Nothing is verified or counted.
extension DirectLoginService {
    /// Tells a device whether its registration may log in. A caller without a valid signature learns only whether the
    /// format and the time are valid.
    func status(_ request: DeviceStatusRequest, source: RequestSource) throws -> DeviceStatusResponse {
        let hash = try Hash.sha256(request.mpinID.bytes)
        let signer = try store.signer(hash)
        let time = Int64(request.proof.time)
        let now = clock.now
        let expected = SignatureWindow.now(now.milliseconds, horizon: signer.horizon)
        guard time > signer.horizon, SignatureWindow.isNear(time, to: expected) else { throw Refusal.offTime(expected) }
        let digest = try DeviceStatement.request(
            Array("status".utf8), serverID: context.serverID, mpinID: request.mpinID.bytes, time: UInt64(time),
            regOTT: [])
        guard signatures.accepts(request.proof.signature.bytes, over: digest, by: signer.registration?.key),
            let registration = try store.registration(hash), registration.state == .registered
        else { throw try unknown(source) }
        guard registration.revoked == nil else { throw Refusal.revoked(registration) }
        let users = try store.users(named: registration.user, limits: configuration.attemptLimits, now: now.seconds)
        let device = users.first?.devices.first { $0.number == registration.number }
        return DeviceStatusResponse(attemptsLeft: device?.attemptsLeft ?? 0)
    }
}

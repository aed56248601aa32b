// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// The questions of a device about its own registration before the user types a PIN. Nothing is verified or counted.
extension DirectLoginService {
    /// Tells a device whether its registration may log in.
    func status(_ request: DeviceStatusRequest, source: RequestSource) throws -> DeviceStatusResponse {
        let hash = try Hash.sha256(request.mpinID.bytes)
        let proof = request.proof
        let digest = try DeviceStatement.request(
            Array("status".utf8), serverID: context.serverID, mpinID: request.mpinID.bytes, time: UInt64(proof.time),
            regOTT: [])
        _ = try signer(hash, time: proof.time, proof.signature, over: digest, source: source)
        guard let registration = try store.registration(hash), registration.state == .registered else {
            throw try unknown(source)
        }
        guard registration.revoked == nil else { throw Refusal.revoked(registration) }
        let users = try store.users(
            named: registration.user, limits: configuration.attemptLimits, now: clock.now.seconds)
        let device = users.first?.devices.first { $0.number == registration.number }
        return DeviceStatusResponse(attemptsLeft: device?.attemptsLeft ?? 0)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// The questions of a device about its own registration before the user types a PIN. Nothing is verified or counted.
extension DirectLoginService {
    /// Tells a device whether its registration may log in. The answer has the server's proof.
    func status(_ request: DeviceStatusRequest, source: RequestSource) throws -> RouteResult {
        let proof = request.proof
        let digest = try DeviceStatement.request(
            Array("status".utf8), serverID: context.key.hash, mpinID: request.mpinID.bytes, time: UInt64(proof.time),
            regOTT: [])
        let subject = try ServerStatement.signedRequest(digest, signature: proof.signature.bytes)
        return context.proven(.login, to: subject) {
            let hash = try Hash.sha256(request.mpinID.bytes)
            _ = try signer(hash, time: proof.time, proof.signature, over: digest, source: source)
            return .now(.json(try status(of: hash, source: source).encode()))
        }
    }

    private func status(of hash: [UInt8], source: RequestSource) throws -> DeviceStatusResponse {
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

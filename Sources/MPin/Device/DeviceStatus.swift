// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension DeviceLogin {
    /// Asks the server whether a registration is still revoked. Nothing else reports this before the PIN is typed.
    ///
    /// - Returns: how many tries are left.
    /// - Throws: REVOKED while it is revoked, CLIENT_SECRET_EXPIRED if the server does not know the device, and the
    ///   error of a request that got no proven answer.
    func status(of user: User, _ device: DeviceRegistration, until deadline: Deadline) throws(MPinError) -> Int {
        do throws(MPinError) { return try statusOnce(of: user, device, deadline) } catch {
            guard let time = error.serverTime else { throw error }
            cache.learnTime(time)
            return try statusOnce(of: user, device, deadline)
        }
    }

    private func statusOnce(
        of user: User, _ device: DeviceRegistration, _ deadline: Deadline
    ) throws(MPinError) -> Int {
        let (proof, digest) = try device.proof(
            "status", of: user, regOTT: [], cache.record.clockOffset, tpm: tpm, until: deadline)
        return try server.status(
            DeviceStatusRequest(mpinID: user.requireMPinID(), proof: proof),
            device.check(device.serverID(), digest, proof.signature), until: deadline
        ).attemptsLeft
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// The keys of devices in the requests of a registration.
extension Registrar {
    /// The key for a new registration; nil if there is none.
    func deviceKey(of request: RegisterRequest, source: RequestSource) throws -> [UInt8]? {
        guard let key = request.deviceKey else {
            if configuration.legacy != .allow { throw withoutKey(request, source: source) }
            return nil
        }
        do throws(CryptoError) {
            return try DevicePublicKey(key.bytes).bytes
        } catch .invalidPoint {
            throw Refusal(400, "Invalid data received. deviceKey argument invalid")
        }
    }

    /// Refuses a client that has no key.
    func withoutKey(_ request: RegisterRequest, source: RequestSource) -> Refusal {
        context.metrics.count(ServerMetrics.Registration.refused)
        audit.note(
            .registrationRefused(.noDeviceKey), at: clock.now, user: request.userID, source: source)
        return Refusal(
            403, "This server accepts new registrations only with a device key, which this client does not have")
    }

    /// A registration as far as a request may see it. Without its device's signature, a registration with a key does
    /// not exist. Nor does one without a key on a server that does not accept such registrations.
    func seen(
        _ registration: RegistrationRecord?, _ request: EnrollmentRequest, _ mpinID: HexText, regOTT: HexText?,
        _ proof: DeviceProof?
    ) throws -> RegistrationRecord? {
        // Checked for every registration, so that known and unknown ones take nearly the same time.
        let isSigned = try isGood(proof, request, mpinID, regOTT: regOTT, key: registration?.deviceKey)
        guard let registration else { return nil }
        return isSigned || takesPasses(registration) ? registration : nil
    }

    private func isGood(
        _ proof: DeviceProof?, _ request: EnrollmentRequest, _ mpinID: HexText, regOTT: HexText?, key: [UInt8]?
    ) throws -> Bool {
        guard let proof, let regOTT, SignatureWindow.isNear(Int64(proof.time), to: clock.now.milliseconds) else {
            return false
        }
        let digests = try context.names.map { name in
            try DeviceStatement.request(
                request.word, serverID: name, mpinID: mpinID.bytes, time: UInt64(proof.time), regOTT: regOTT.bytes)
        }
        return try signatures.accepted(proof.signature.bytes, over: digests, by: key) != nil
    }
}

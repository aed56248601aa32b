// SPDX-License-Identifier: Apache-2.0

/// Asks whether a registration with a device key may log in, signed by the device; an extension.
package struct DeviceStatusRequest: Sendable, Equatable {
    /// Where servers take it, below their address.
    package static var path: Constant { "/mpinStatus" }

    package let mpinID: HexText
    package let proof: DeviceProof

    package init(mpinID: HexText, proof: DeviceProof) {
        self.mpinID = mpinID
        self.proof = proof
    }

    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.passMPinID, mpinID)
        proof.encode(to: &writer)
        return writer.finish()
    }

    package static func decode(_ body: Span<UInt8>) throws(WireError) -> DeviceStatusRequest {
        let object = try JSONObject(request: body)
        guard let proof = try DeviceProof.decode(object, in: body) else { throw .missing(.deviceSignature) }
        return DeviceStatusRequest(
            mpinID: try object.hexText(.passMPinID, count: 1...MPinIDRecord.longest, in: body), proof: proof)
    }
}

/// The answer for a registration that is not revoked; an extension.
package struct DeviceStatusResponse: Sendable, Equatable {
    /// How many wrong PINs are left, 0 to 99; 0 for a blocked registration.
    package let attemptsLeft: Int

    package init(attemptsLeft: Int) { self.attemptsLeft = attemptsLeft }

    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.attemptsLeft, attemptsLeft)
        return writer.finish()
    }

    package static func decode(_ body: Span<UInt8>) throws(WireError) -> DeviceStatusResponse {
        let left = try JSONObject(body).integer(.attemptsLeft, in: body)
        guard 0...99 ~= left else { throw .invalid(.attemptsLeft) }
        return DeviceStatusResponse(attemptsLeft: left)
    }
}

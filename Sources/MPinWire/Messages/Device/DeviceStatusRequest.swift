// SPDX-License-Identifier: Apache-2.0

/// Asks whether a registration with a device key may log in, signed by the device; an extension.
package struct DeviceStatusRequest: Sendable, Equatable {
    package let mpinID: HexText
    package let proof: DeviceProof

    package init(mpinID: HexText, proof: DeviceProof) {
        self.mpinID = mpinID
        self.proof = proof
    }

    /// The body that a client sends.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.passMPinID, mpinID)
        proof.encode(to: &writer)
        return writer.finish()
    }

    /// Reads a client's body.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> DeviceStatusRequest {
        let object = try JSONObject(request: body)
        guard let proof = try DeviceProof.decode(object, in: body) else { throw .missing(.deviceSignature) }
        return DeviceStatusRequest(
            mpinID: try object.hexText(.passMPinID, count: 1...MPinIDRecord.longest, in: body), proof: proof)
    }
}

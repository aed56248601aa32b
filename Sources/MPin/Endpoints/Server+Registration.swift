// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension Server {
    /// Starts a registration, or restarts that of an M-Pin ID.
    func register(
        _ message: RegisterRequest, again mpinID: HexText? = nil, until deadline: Deadline
    ) throws(MPinError) -> RegisterResponse {
        let path = mpinID.map { "/" + $0.digits } ?? ByteText()
        return try request(.register, .registerURL, path, body: message.encode(), until: deadline) {
            body throws(WireError) in
            try RegisterResponse.decode(body)
        }
    }

    /// Fetches the first share of the client secret, with the signed query that fetches the other one.
    func signature(
        of mpinID: HexText, _ regOTT: ByteText, pushToken: ByteText?, _ proof: DeviceProof?, until deadline: Deadline
    ) throws(MPinError) -> PendingRegistration {
        var query = Query()
        query.add(.regOTT, regOTT)
        if let pushToken { query.add(.pmiToken, pushToken) }
        #if !hasFeature(Embedded)
        if let proof { proof.encode(to: &query) }
        #endif
        var share = try SecretBytes.forShare()
        let path = "/" + mpinID.digits + "?" + query.text
        let answer = try request(.signature, .signatureURL, path, until: deadline) { body throws(WireError) in
            try share.withMutableBytes(count: RecordFile.pointSize) { share throws(WireError) in
                try SignatureResponse.decode(body, share: &share)
            }
        }
        return PendingRegistration(first: share, parameters: ByteText(answer.params))
    }

    /// Fetches the second share of the client secret.
    func clientSecret(_ parameters: ByteText, until deadline: Deadline) throws(MPinError) -> SecretBytes {
        var share = try SecretBytes.forShare()
        try request(.clientSecret, .certivoxURL, "clientSecret?" + parameters, until: deadline) {
            body throws(WireError) in
            _ = try share.withMutableBytes(count: RecordFile.pointSize) { share throws(WireError) in
                try ClientSecretResponse.decode(body, share: &share)
            }
        }
        return share
    }
}

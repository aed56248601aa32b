// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension Server {
    /// Starts a registration, or restarts that of an M-Pin ID.
    func register(
        _ message: RegisterRequest, again mpinID: HexText? = nil, until deadline: Deadline
    ) throws(MPinError) -> RegisterResponse {
        let path = mpinID.map { "/" + $0.digits } ?? ByteText()
        return try request(
            .register, .registerURL, path, body: message.encode(), until: deadline, RegisterResponse.decode)
    }

    /// Fetches the first share of the client secret, with the signed query that fetches the other one.
    func signature(
        of mpinID: HexText, _ query: SignatureQuery, until deadline: Deadline
    ) throws(MPinError) -> PendingRegistration {
        var share = try SecretBytes.forShare()
        let path = "/" + mpinID.digits + "?" + ByteText(query.encode())
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
            try share.withMutableBytes(count: RecordFile.pointSize) { share throws(WireError) in
                try ShareResponse.clientSecret.decode(body, share: &share)
            }
        }
        return share
    }
}

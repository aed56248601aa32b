// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension Server {
    /// Starts a registration, or restarts that of an M-Pin ID.
    ///
    /// - Parameter body: a ``RegisterRequest``, encoded.
    func register(
        _ body: [UInt8], again mpinID: HexText? = nil, _ check: AnswerCheck?, until deadline: Deadline
    ) throws(MPinError) -> RegisterResponse {
        let path = mpinID.map { "/" + $0.digits } ?? ByteText()
        return try request(
            .register, .registerURL, path, body: body, until: deadline, check: check, RegisterResponse.decode)
    }

    /// Fetches the first share of the client secret, with the signed query that fetches the other one.
    ///
    /// - Parameter query: a ``SignatureQuery``, encoded.
    func signature(
        of mpinID: HexText, _ query: ByteText, _ check: AnswerCheck?, until deadline: Deadline
    ) throws(MPinError) -> PendingRegistration {
        var share = try SecretBytes.forShare()
        let path = "/" + mpinID.digits + "?" + query
        let answer = try request(.signature, .signatureURL, path, until: deadline, check: check) {
            body throws(WireError) in
            try share.withMutableBytes(count: RecordFile.pointSize) { share throws(WireError) in
                try SignatureResponse.decode(body, share: &share)
            }
        }
        guard check == nil || answer.authorityURL != nil else { throw Endpoint.signature.unreadable }
        return PendingRegistration(
            first: share, parameters: ByteText(answer.params),
            authority: check == nil ? nil : answer.authorityURL.map { ByteText($0) })
    }

    /// Fetches the second share of the client secret.
    func clientSecret(of pending: PendingRegistration, until deadline: Deadline) throws(MPinError) -> SecretBytes {
        var share = try SecretBytes.forShare()
        let path = "clientSecret?" + pending.parameters
        if let address = pending.authority {
            let place = secondAuthority(at: address)
            guard let url = place.resolve(address) else { throw Endpoint.signature.unreadable }
            let base = url.bytes.last == UInt8(ascii: "/") ? url : url + "/"
            try connection(to: place).request(.clientSecret, base + path, until: deadline) { body throws(WireError) in
                try Server.read(body, into: &share)
            }
        } else {
            try request(.clientSecret, .certivoxURL, path, until: deadline) { body throws(WireError) in
                try Server.read(body, into: &share)
            }
        }
        return share
    }

    private static func read(_ body: Span<UInt8>, into share: inout SecretBytes) throws(WireError) {
        try share.withMutableBytes(count: RecordFile.pointSize) { share throws(WireError) in
            try ShareResponse.clientSecret.decode(body, share: &share)
        }
    }
}

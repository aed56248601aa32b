// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
package import MPinWire

/// An enrollment code as a server knows it. A class, so that a dictionary can contain it.
final class EnrollmentCodeOfPeer {
    let secret: CodeSecret

    init(symbols: [UInt8]) throws { secret = try CodeSecret(symbols: symbols) }
}

extension DirectServer {
    struct UnknownCode: Error {}

    /// Makes it know an enrollment code.
    package func know(_ code: String) throws {
        guard let symbols = EnrollmentCode.symbols(code) else { throw UnknownCode() }
        let known = try EnrollmentCodeOfPeer(symbols: symbols)
        codes[HexText(bytes: known.secret.name)] = known
    }

    /// The code that a registration names; nil for none.
    func code(of request: RegisterRequest) throws -> EnrollmentCodeOfPeer? {
        guard let named = request.code else {
            if requiresCode { throw UnknownCode() }
            return nil
        }
        guard let key = request.deviceKey, let known = codes[named.name],
            try known.secret.clientProof(
                user: Array(request.userID.utf8), deviceKey: key.bytes, serverKeyHash: signer.keyHash)
                == named.proof.bytes
        else { throw UnknownCode() }
        return known
    }

    /// What it signs for the answer to a request; nil if the answer has no proof.
    package func statement(of exchange: Exchange) throws -> (kind: ServerStatement.Kind, request: [UInt8])? {
        let path = exchange.path.split(separator: "/").map(String.init)
        switch (exchange.method, path.first, path.dropFirst().first) {
        case ("POST", "mpinDirect", _):
            let request = try DirectLoginRequest.decode(exchange.body.span)
            let digest = try login(request).digest(v: request.v)
            return (.login, try ServerStatement.signedRequest(digest, signature: request.signature.bytes))
        case ("POST", "mpinStatus", _):
            let request = try DeviceStatusRequest.decode(exchange.body.span)
            let digest = try DeviceStatement.request(
                Array("status".utf8), serverID: signer.keyHash, mpinID: request.mpinID.bytes,
                time: UInt64(request.proof.time), regOTT: [])
            return (.login, try ServerStatement.signedRequest(digest, signature: request.proof.signature.bytes))
        case ("POST", "mpinHello", _): return (.hello, try HelloRequest.decode(exchange.body.span).challenge.bytes)
        case ("PUT", "rps", "user"):
            guard try RegisterRequest.decode(exchange.body.span).deviceKey != nil else { return nil }
            return try enrollment(path.count > 2 ? "restart" : "register", path.dropFirst(2).first, exchange.body)
        case ("GET", "rps", "signature"):
            guard try SignatureQuery.decode(exchange.query).deviceProof != nil else { return nil }
            return try enrollment("signature", path.dropFirst(2).first, Array(exchange.query.utf8))
        default: return nil
        }
    }

    private func enrollment(
        _ word: String, _ mpinID: String?, _ content: [UInt8]
    ) throws -> (kind: ServerStatement.Kind, request: [UInt8]) {
        let mpinID = mpinID.flatMap { HexText(text: Array($0.utf8).span) }
        return (
            .enrollment,
            try ServerStatement.enrollmentRequest(Array(word.utf8), mpinID: mpinID?.bytes ?? [], content: content)
        )
    }

    /// The login that a device signs for this server.
    func login(_ request: DirectLoginRequest) -> DirectLogin {
        DirectLogin(
            serverID: signer.keyHash, mpinID: request.mpinID.bytes, time: UInt64(request.time), u: request.u,
            purpose: request.purpose.word.bytes, argument: request.purpose.argument.bytes)
    }

    /// The first share, with the address of the second authority.
    func signature(_ exchange: Exchange) -> Answer {
        let answer = reference.answer(exchange)
        guard answer.status == 200 else { return answer }
        return .json(answer.body.dropLast() + Array(",\"certivoxURL\":\"\(reference.secondAuthority)\"}".utf8))
    }
}

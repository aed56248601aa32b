// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Has the server at an address prove which key it has: it signs 32 fresh random bytes. Reads no store.
    ///
    /// - Parameter isKnown: whether the caller compares the key with the expected one. Then every certificate will do.
    /// - Throws: FLOW_ERROR for an address of another form; NETWORK_ERROR with the cause `noServerProof` if the server
    ///   does not offer this, and `unproven` if its answer is not proven; otherwise as for any request.
    package static func hello(
        _ address: String, options: TransportOptions, isKnown: Bool = false
    ) throws(MPinError) -> ProvenServer {
        if isKnown {
            do throws(MPinError) { return try contact(address, nil, options) } catch { throw error.withoutProof() }
        }
        let deadline = Deadline(millisecondsFromNow: options.timeoutMilliseconds)
        let server = try connect(address, options, until: deadline)
        guard server.settings.text(.helloURL) != nil else {
            throw MPinError(
                .networkError, "The server's settings do not offer a proof of its key.", cause: .noServerProof)
        }
        let answer = try server.transport.hello(server.url(.helloURL, isProven: true), until: deadline)
        return try ProvenServer(server.backend, answer)
    }

    /// Chooses the server for an enrollment. A code, or the fingerprint that the caller names, proves its key, and then its
    /// certificate may be signed by this key. Otherwise, this machine must trust its certificate.
    ///
    /// - Parameters:
    ///   - address: `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
    ///   - identity: the user whom the code enrolls.
    ///   - code: only an invitation or backup code proves anything.
    /// - Throws: IDENTITY_NOT_AUTHORIZED if the server does not know the code; NETWORK_ERROR with the cause
    ///   `noServerProof` or `unproven` without a proof, and `otherServerKey` for another key; otherwise as for any request.
    package mutating func setBackend(
        _ address: String, enrolling identity: String, _ code: RegistrationCode?, serverKey: KeyFingerprint?
    ) throws(MPinError) {
        let code = try code?.symbols.map { symbols throws(MPinError) in
            try EnrollmentSecret(identity, symbols: symbols)
        }
        guard case .https? = Backend(address)?.route, !options.acceptsOldServer, code != nil || serverKey != nil else {
            return try setBackend(address)
        }
        let server: ProvenServer
        do throws(MPinError) { server = try MPinClient.contact(address, code, options) } catch {
            // A server of 2016, or something else.
            throw error.cause == .unknownAddress ? MPinClient.noServerProof : error
        }
        guard serverKey.map({ $0 == server.fingerprint }) ?? true else { throw MPinClient.otherServerKey }
        try setBackend(server)
    }

    /// Finds out the key of a server whose certificate this machine may not trust yet.
    ///
    /// Only this request accepts every certificate. Its answer proves itself, with the code or because the caller knows
    /// the key. An attacker between them learns the identity and the code's name, which are of no use.
    private static func contact(
        _ address: String, _ code: EnrollmentSecret?, _ options: TransportOptions
    ) throws(MPinError) -> ProvenServer {
        guard let backend = Backend(address) else { throw badAddress }
        let transport = try HTTPTransport(backend: backend, options: options)
        try transport.acceptAnyCertificate()
        let url = backend.url(path: HelloRequest.path.text)
        let deadline = Deadline(millisecondsFromNow: options.timeoutMilliseconds)
        return try ProvenServer(backend, transport.hello(url, code, until: deadline))
    }
}

extension HTTPTransport {
    /// Has the server prove its key, and that it knows a code.
    ///
    /// - Returns: the key that has signed a new challenge, and its hash.
    fileprivate func hello(
        _ url: ByteText, _ code: EnrollmentSecret? = nil, until deadline: Deadline
    ) throws(MPinError) -> (key: HexText, hash: [UInt8]) {
        let challenge: [UInt8]
        do throws(CryptoError) { challenge = try Random.bytes(HelloRequest.size) } catch { throw MPinError(error) }
        let body = HelloRequest(challenge: HexText(bytes: challenge), code: code?.named).encode()
        var proof: HexText?
        let check = try request(.hello, url, body: body, until: deadline) { answer throws(WireError) -> AnswerCheck in
            let response = try HelloResponse.decode(answer)
            proof = response.codeProof
            let key = response.serverKey.lowercased
            var hash: [UInt8] = []
            do throws(CryptoError) { hash = try Hash.sha256(key.bytes) } catch {}
            let check = AnswerCheck(.hello, key: key, hash: hash, request: challenge)
            check.read(answer, status: 200)
            return check
        }
        guard check.isProven else { throw check.failure(at: .hello) }
        try code?.require(proof, challenge: challenge, serverKeyHash: check.keyHash)
        return (check.key, check.keyHash)
    }
}

/// An enrollment code that a server must prove to know, and the identity that it enrolls.
private final class EnrollmentSecret {
    private let identity: String
    private let code: CodeSecret

    init(_ identity: String, symbols: [UInt8]) throws(MPinError) {
        self.identity = identity
        do throws(CryptoError) { code = try CodeSecret(symbols: symbols) } catch { throw MPinError(error) }
    }

    /// What is sent of it.
    var named: HelloRequest.Code { HelloRequest.Code(userID: identity, name: HexText(bytes: code.name)) }

    func require(_ proof: HexText?, challenge: [UInt8], serverKeyHash: [UInt8]) throws(MPinError) {
        let expected: [UInt8]
        do throws(CryptoError) {
            expected = try code.helloProof(
                user: Array(identity.utf8), challenge: challenge, serverKeyHash: serverKeyHash)
        } catch { throw MPinError(error) }
        guard let proof, Hash.equal(proof.bytes, expected) else { throw MPinClient.unprovenCode }
    }
}

extension MPinClient {
    static var unprovenCode: MPinError {
        MPinError(
            .networkError, "The server did not prove that it knows the enrollment code.", cause: .unproven)
    }
}

/// A server that has just proven which key it has. Only this file makes one.
package struct ProvenServer: Sendable {
    let backend: Backend
    let keyText: HexText
    let keyHash: [UInt8]

    fileprivate init(_ backend: Backend, _ proven: (key: HexText, hash: [UInt8])) throws(MPinError) {
        (self.backend, keyText, keyHash) = (backend, proven.key, proven.hash)
        do throws(CryptoError) { fingerprint = try KeyFingerprint(of: proven.key.bytes) } catch {
            throw MPinError(error)
        }
    }

    /// The server's address, as records have it.
    package var address: String { backend.text }
    /// The server's public key, 65 bytes.
    package var key: [UInt8] { keyText.bytes }
    package let fingerprint: KeyFingerprint
    /// ``fingerprint`` as people compare it.
    package var fingerprintText: String { fingerprint.text }
}

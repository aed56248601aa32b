// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Has the server at an address prove which key it has: it signs 32 fresh random bytes. Reads no store.
    ///
    /// - Parameter isKnown: whether a registration with a device key is at this address.
    /// - Throws: FLOW_ERROR for an address of another form; NETWORK_ERROR with the cause `noServerProof` if the server
    ///   does not offer this, and `unproven` if its answer is not proven; otherwise as for any request.
    package static func hello(
        _ address: String, options: TransportOptions, rpsPrefix: String = "rps", isKnown: Bool = false
    ) throws(MPinError) -> ProvenServer {
        do throws(MPinError) { return try hello(address, options, rpsPrefix) } catch {
            throw isKnown ? error.withoutProof() : error
        }
    }

    private static func hello(
        _ address: String, _ options: TransportOptions, _ rpsPrefix: String
    ) throws(MPinError) -> ProvenServer {
        let deadline = Deadline(millisecondsFromNow: options.timeoutMilliseconds)
        let server = try connect(address, rpsPrefix: rpsPrefix, options, until: deadline)
        guard server.settings.text(.helloURL) != nil else {
            throw MPinError(
                .networkError, "The server's settings do not offer a proof of its key.", cause: .noServerProof)
        }
        let challenge: [UInt8]
        do throws(CryptoError) { challenge = try Random.bytes(HelloRequest.size) } catch { throw MPinError(error) }
        let (key, hash) = try server.hello(challenge, until: deadline)
        return ProvenServer(
            backend: server.backend, rpsPrefix: server.rpsPrefix == standardPrefix ? nil : server.rpsPrefix,
            keyText: key, keyHash: hash,
            fingerprint: try fingerprint(of: key))
    }

    private static func fingerprint(of key: HexText) throws(MPinError) -> KeyFingerprint {
        do throws(CryptoError) { return try KeyFingerprint(of: key.bytes) } catch { throw MPinError(error) }
    }
}

extension Server {
    /// - Returns: the key that has signed the challenge, and its hash.
    fileprivate func hello(
        _ challenge: [UInt8], until deadline: Deadline
    ) throws(MPinError) -> (key: HexText, hash: [UInt8]) {
        let url = try url(.helloURL, isProven: true)
        let body = HelloRequest(challenge: HexText(bytes: challenge)).encode()
        let check = try transport.request(.hello, url, body: body, until: deadline) {
            answer throws(WireError) -> AnswerCheck in
            let key = try HelloResponse.decode(answer).serverKey.lowercased
            var hash: [UInt8] = []
            do throws(CryptoError) { hash = try Hash.sha256(key.bytes) } catch {}
            let check = AnswerCheck(.hello, key: key, hash: hash, request: challenge)
            check.read(answer, status: 200)
            return check
        }
        guard check.isProven else { throw check.failure(at: .hello) }
        return (check.key, check.keyHash)
    }
}

/// A server that has just proven which key it has. Only ``MPinClient/hello(_:options:rpsPrefix:)`` makes one.
package struct ProvenServer: Sendable {
    let backend: Backend
    /// The path of its protocol, if it is not the usual one.
    let rpsPrefix: ByteText?
    let keyText: HexText
    let keyHash: [UInt8]

    /// The server's address, as records have it.
    package var address: String { backend.text }
    /// The server's public key, 65 bytes.
    package var key: [UInt8] { keyText.bytes }
    package let fingerprint: KeyFingerprint
    /// ``fingerprint`` as people compare it.
    package var fingerprintText: String { fingerprint.text }
}

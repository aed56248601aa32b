// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Testing

/// Reads cases of kind "direct-login": the formats of docs/device-login.md.
struct DirectLoginReader {
    let vector: VectorCase

    static func check(_ vector: VectorCase) throws {
        let reader = DirectLoginReader(vector: vector)
        try reader.client()
        try reader.server()
        try reader.signatures()
        try reader.proofs()
        try reader.codes()
    }

    private func client() throws {
        let factor = try PINFactor(integer: Int32(vector.integer("pin_login")))
        let session = try ClientSession(
            identity: identity(), token: Secrets.secret(vector.bytes("token")), factor: factor,
            x: Secrets.secret(vector.bytes("x")))
        #expect(try session.u == vector.bytes("u"), "\(vector.testDescription): u")
        let y = try login().challenge()
        #expect(try y == vector.bytes("y"), "\(vector.testDescription): y")
        #expect(try session.answer(challenge: y) == vector.bytes("v"), "\(vector.testDescription): v")
    }

    private func server() throws {
        let verifier = try Verifier(serverSecret: Secrets.secret(vector.bytes("server_secret")))
        let accepted = try verifier.accepts(
            identity: identity(), day: nil, u: vector.bytes("u"), ut: nil, y: login().challenge(),
            v: vector.bytes("v"))
        #expect(try accepted == (vector.integer("status") == 0), "\(vector.testDescription): verdict")
    }

    private func signatures() throws {
        let point = try vector.bytes("public_key")
        let digests = try [
            ("digest", "signature", login().digest(v: vector.bytes("v"))),
            (
                "request_digest", "request_signature",
                DeviceStatement.request(
                    Array(vector.text("request").utf8), serverID: vector.bytes("server_id"),
                    mpinID: vector.bytes("id"), time: UInt64(vector.integer("time")), regOTT: vector.bytes("reg_ott"))
            ),
        ]
        let publicKey = try DevicePublicKey(point)
        let key = try DeviceKey(scalar: Secrets.secret(vector.bytes("private_key")), publicKey: publicKey)
        for (name, signature, digest) in digests {
            #expect(try digest == vector.bytes(name), "\(vector.testDescription): \(name)")
            #expect(try publicKey.accepts(vector.bytes(signature), over: digest), "\(vector.testDescription): \(name)")
            let own = try key.sign(digest)
            #expect(publicKey.accepts(own, over: digest))
        }
    }

    /// What the server signs.
    private func proofs() throws {
        let point = try vector.bytes("server_key")
        let keyHash = try Hash.sha256(point)
        #expect(try keyHash == vector.bytes("key_hash"))
        let enrollment = try ServerStatement.enrollmentRequest(
            Array(vector.text("enrollment_request").utf8), mpinID: vector.bytes("enrollment_id"),
            content: Array(vector.text("enrollment_content").utf8))
        #expect(try enrollment == vector.bytes("enrollment_request_digest"))
        let answers: [(name: String, kind: ServerStatement.Kind, request: [UInt8])] = try [
            (
                "answer", .login,
                ServerStatement.signedRequest(vector.bytes("digest"), signature: vector.bytes("signature"))
            ), ("enrollment", .enrollment, enrollment),
            ("hello", .hello, vector.bytes("challenge")),
        ]
        let publicKey = try DevicePublicKey(point)
        for (name, kind, request) in answers {
            let digest = try ServerStatement.answer(
                kind, keyHash: keyHash, request: request, status: vector.integer("http_status"),
                body: Array(vector.text("answer").utf8).span)
            #expect(try digest == vector.bytes("\(name)_digest"), "\(vector.testDescription): \(name)")
            #expect(try publicKey.accepts(vector.bytes("\(name)_signature"), over: digest))
        }
    }

    /// What client and server derive from an enrollment code.
    private func codes() throws {
        let secret = try CodeSecret(symbols: #require(EnrollmentCode.symbols(vector.text("code"))))
        let (user, key) = (Array(try vector.text("user").utf8), try vector.bytes("public_key"))
        let keyHash = try vector.bytes("key_hash")
        #expect(try secret.name == vector.bytes("code_name"))
        let client = try secret.clientProof(user: user, deviceKey: key, serverKeyHash: keyHash)
        #expect(try client == vector.bytes("code_client_proof"), "\(vector.testDescription): client's proof")
        let server = try secret.serverProof(user: user, deviceKey: key, serverKeyHash: keyHash)
        #expect(try server == vector.bytes("code_server_proof"), "\(vector.testDescription): server's proof")
    }

    private func login() throws -> DirectLogin {
        try DirectLogin(
            serverID: vector.bytes("server_id"), mpinID: vector.bytes("id"), time: UInt64(vector.integer("time")),
            u: vector.bytes("u"), purpose: Array(vector.text("purpose").utf8),
            argument: Array(vector.text("argument").utf8))
    }

    private func identity() throws -> Identity { try Identity(mpinID: vector.bytes("id")) }
}

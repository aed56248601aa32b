// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinWire

/// A registration with a device key that logs in again and again by one request.
struct DirectClient: Sendable {
    private let serverID: [UInt8]
    private let path: String
    private let mpinID: HexText
    private let token: [UInt8]
    private let scalar: [UInt8]
    private let publicKey: DevicePublicKey

    /// Registers with an invitation code, as clients do.
    static func register(_ user: String, code: String, socket: String) throws -> DirectClient {
        let connection = try Connection(socket)
        let described = try connection.send("GET", "/rps/clientSettings")
        let settings = try ClientSettings.decode(described.span)
        guard let serverID = settings.serverID, let path = settings[.directURL] else {
            throw Failure("the server takes no direct logins")
        }
        let (scalar, publicKey) = try DirectClient.makeKey()
        let request = RegisterRequest(
            userID: user, deviceName: "bench", activateCode: code, deviceKey: HexText(bytes: publicKey.bytes))
        let answer = try connection.send("PUT", "/rps/user", request.encode())
        let begun = try RegisterResponse.decode(answer.span)
        let mpinID = begun.mpinID
        let time = DirectClient.now
        let digest = try DeviceStatement.request(
            Array("signature".utf8), serverID: serverID.bytes, mpinID: mpinID.bytes, time: UInt64(time),
            regOTT: begun.regOTT.bytes)
        let proof = DeviceProof(
            time: time, signature: HexText(bytes: try DirectClient.sign(digest, scalar, publicKey)))
        let query = SignatureQuery(regOTT: begun.regOTT, deviceProof: proof).encode()
        let first = try LoadClient.Answer(connection.send("GET", "/rps/signature/\(mpinID.string)?\(query)"))
        let second = try LoadClient.Answer(connection.send("GET", "/dta/clientSecret?\(first.text("params"))"))
        return DirectClient(
            serverID: serverID.bytes, path: path, mpinID: mpinID,
            token: try LoadClient.token(
                mpinID.string, first: first.text("clientSecretShare"), second: second.text("clientSecret")),
            scalar: scalar, publicKey: publicKey)
    }

    private static func makeKey() throws -> ([UInt8], DevicePublicKey) {
        let key = try DeviceKey.generate()
        return (key.withScalar { scalar in scalar.indices.map { scalar[$0] } }, key.publicKey)
    }

    private static func sign(_ digest: [UInt8], _ scalar: [UInt8], _ publicKey: DevicePublicKey) throws -> [UInt8] {
        let kept = try LoadClient.secret(scalar)
        let key = try DeviceKey(scalar: kept, publicKey: publicKey)
        return try key.sign(digest)
    }

    /// One login on a connection of its own.
    func logIn(_ socket: String) throws {
        try send(try body(), socket)
    }

    func send(_ body: [UInt8], _ socket: String) throws {
        _ = try Connection(socket).send("POST", path, body)
    }

    /// A request that logs in once, by default for nothing else.
    func body(_ purpose: DirectPurpose = .login) throws -> [UInt8] {
        let token = try LoadClient.secret(token)
        let factor = try LoadClient.factor()
        let session = try ClientSession(
            identity: try Identity(mpinID: mpinID.bytes), token: token, factor: factor)
        let (u, time) = (session.u, DirectClient.now)
        let login = DirectLogin(
            serverID: serverID, mpinID: mpinID.bytes, time: UInt64(time), u: u, purpose: purpose.word.bytes,
            argument: purpose.argument.bytes)
        let v = try session.answer(challenge: login.challenge())
        let signature = try DirectClient.sign(login.digest(v: v), scalar, publicKey)
        return DirectLoginRequest(
            mpinID: mpinID, u: u, v: v, time: time, purpose: purpose,
            signature: HexText(bytes: signature)
        ).encode()
    }

    private static var now: Int { Int(Date().timeIntervalSince1970 * 1_000) }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinWire

/// A registration that logs in again and again, with its token and permit in memory.
struct LoadClient: Sendable {
    private static let pin = Array("4962".utf8)

    let mpinID: String
    let token: [UInt8]
    let permit: [UInt8]
    let day: Int

    /// Registers with an invitation code, as clients do.
    init(_ user: String, code: String, socket: String) throws {
        let connection = try Connection(socket)
        let begun = try Answer(
            connection.send(
                "PUT", "/rps/user",
                JSONSerialization.data(withJSONObject: [
                    "userId": user, "mobile": 1, "deviceName": "bench", "activateCode": code,
                ]).map { $0 }))
        mpinID = try begun.text("mpinId")
        let first = try Answer(
            connection.send("GET", "/rps/signature/\(mpinID)?regOTT=\(begun.text("regOTT"))"))
        let second = try Answer(connection.send("GET", "/dta/clientSecret?\(first.text("params"))"))
        token = try LoadClient.token(
            mpinID, first: first.text("clientSecretShare"), second: second.text("clientSecret"))
        let own = try Answer(connection.send("GET", "/rps/timePermit/\(mpinID)"))
        let other = try Answer(
            connection.send(
                "GET",
                "/dta/timePermit?hash_mpin_id=\(own.text("storageId"))&app_id=x&mobile=1&signature=\(own.text("signature"))"
            ))
        day = own.object["date"] as? Int ?? 0
        let permit = try LoadClient.whole(own.text("timePermit"), other.text("timePermit"))
        self.permit = LoadClient.plain(permit)
    }

    /// One login on a connection of its own: pass 1, pass 2, authenticate.
    func logIn(_ socket: String) throws {
        guard let day = PermitDay(day), let name = HexText(text: Array(mpinID.utf8).span) else {
            throw Failure("the server's permit has no day")
        }
        let identity = try LoadClient.identity(mpinID)
        let token = try LoadClient.secret(token)
        let permit = try LoadClient.secret(permit)
        let factor = try LoadClient.factor()
        let session = try ClientSession(identity: identity, token: token, factor: factor, permit: permit, day: day)
        let connection = try Connection(socket)
        let passOne = PassOneRequest(mpinID: name, u: session.u, ut: session.ut)
        let first = try connection.send("POST", "/rps/pass1", passOne.encode())
        let challenge = try PassOneResponse.decode(first.span)
        let v = try session.answer(challenge: challenge.y)
        let passTwo = PassTwoRequest(mpinID: name, v: v, passID: challenge.passID)
        let answer = try connection.send("POST", "/rps/pass2", passTwo.encode())
        let second = try PassTwoResponse.decode(answer.span)
        _ = try connection.send(
            "POST", "/mpinAuthenticate", AuthenticateRequest(authOTT: second.authOTT).encode())
    }

    /// What the machine would store, of the two shares.
    static func token(_ mpinID: String, first: String, second: String) throws -> [UInt8] {
        let identity = try identity(mpinID)
        let factor = try factor()
        let secret = try whole(first, second)
        let token = try ClientToken.extract(identity: identity, factor: factor, clientSecret: secret)
        return plain(token)
    }

    struct Answer {
        let object: [String: Any]

        init(_ body: [UInt8]) throws {
            object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
        }

        func text(_ name: String) throws -> String {
            guard let text = object[name] as? String else { throw Failure("the server's answer has no \(name)") }
            return text
        }
    }

    private static func identity(_ mpinID: String) throws -> Identity { try Identity(mpinID: bytes(mpinID)) }

    static func factor() throws -> PINFactor {
        let pin = try secret(pin)
        return try PINFactor(pin: pin, scheme: .decimal)
    }

    private static func whole(_ one: String, _ other: String) throws -> SecretBytes {
        let one = try secret(bytes(one))
        let other = try secret(bytes(other))
        return try Shares.recombine(one, other)
    }

    private static func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0
        }
    }

    static func secret(_ bytes: [UInt8]) throws -> SecretBytes {
        var secret = try SecretBytes(capacity: bytes.count)
        secret.withMutableBytes(count: bytes.count) { for index in bytes.indices { $0[index] = bytes[index] } }
        return secret
    }

    private static func plain(_ secret: borrowing SecretBytes) -> [UInt8] {
        secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }
}

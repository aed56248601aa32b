// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Pairing
import Testing

/// Reads cases of kind "calls": one operation with named arguments, and some members of its result.
///
/// The result `{"code": -14}` means any refusal.
struct CallReader {
    let args: VectorCase

    static func check(_ vector: VectorCase) throws {
        let args = try vector.inside("args")
        let op = try vector.text("op")
        // How far a PIN was from the right one, which no program of ours calculates.
        if op == "pin_error" { return }
        var result: [String: JSON]
        do {
            result = try CallReader(args: args).run(op, vector)
        } catch let refusal as CryptoError {
            result = ["code": .integer(-14), "refusal": .string("\(refusal)")]
        }
        let expected = try vector.inside("expect").members
        #expect(!expected.isEmpty, "\(vector.testDescription): nothing expected")
        for (key, value) in expected {
            #expect(result[key] == value, "\(vector.testDescription): \(key)")
        }
    }

    private func run(_ op: String, _ vector: VectorCase) throws -> [String: JSON] {
        switch op {
        case "hash_id": result(try Identity(mpinID: args.bytes("id")).hash)
        case "hash_date": result(try day().hash(hashedID: args.bytes("digest")))
        case "map_to_g1": try mapToG1()
        case "id_point": result(try Values.bytes(Values.point(identity())))
        case "g1_check": try valid(PointCheck.isG1(args.bytes("point")))
        case "g2_check": try valid(Secrets.isTwistPoint(args.bytes("point")))
        case "g1_mul": result(try Values.bytes(Values.g1(args.bytes("point")).multiplied(by: scalar("k"))))
        case "g2_mul": result(try Values.bytes(Values.g2(args.bytes("point")).multiplied(by: scalar("k"))))
        case "pairing": try pairing()
        case "pin_factor": try factor(integer: args.integer("pin"), vector)
        case "java_hash": try javaHash(vector)
        case "server_secret": try serverSecret()
        case "client_secret": try clientSecret()
        case "client_permit": try clientPermit()
        case "recombine_g1": try recombine()
        case "recombine_g2": result(try Secrets.sum(args.bytes("a"), args.bytes("b")))
        case "extract_pin": try extract()
        case "client_1": try clientFirstPass()
        case "client_2": try clientSecondPass()
        case "server_1": try serverFirstPass()
        case "server_2": try serverSecondPass()
        case "get_y": try challenge()
        case "access_number_checksum": try accessNumber()
        default: throw VectorProblem("unknown operation \(op)")
        }
    }

    private func mapToG1() throws -> [String: JSON] {
        let digest = try args.bytes("digest")
        let point = G1(mapping: digest.span)
        guard !point.isInfinity.isSet else { throw CryptoError.infinity }
        return result(try Values.bytes(point))
    }

    private func serverSecret() throws -> [String: JSON] {
        let authority = try authority()
        return result(Secrets.bytes(try authority.serverShare()))
    }

    private func clientSecret() throws -> [String: JSON] {
        let authority = try authority()
        let share = try authority.clientShare(hashedID: args.bytes("hashed_id"))
        return result(Secrets.bytes(share))
    }

    private func clientPermit() throws -> [String: JSON] {
        let authority = try authority()
        let share = try authority.permitShare(hashedID: args.bytes("hashed_id"), day: day())
        return result(Secrets.bytes(share))
    }

    private func recombine() throws -> [String: JSON] {
        let first = try secret("a")
        let second = try secret("b")
        let sum = try Shares.recombine(first, second)
        return result(Secrets.bytes(sum))
    }

    private func extract() throws -> [String: JSON] {
        let factor = try factor()
        let secret = try secret("secret")
        let token = try ClientToken.extract(identity: identity(), factor: factor, clientSecret: secret)
        return result(Secrets.bytes(token))
    }

    /// With a factor of 0 and without a permit the token is SEC.
    private func clientSecondPass() throws -> [String: JSON] {
        let token = try secret("sec")
        let factor = try PINFactor(integer: 0)
        let session = try ClientSession(
            identity: Identity(mpinID: []), token: token, factor: factor, x: secret("x"))
        return result(try session.answer(challenge: args.bytes("y")))
    }

    private func pairing() throws -> [String: JSON] {
        let q = PreparedG2(try Values.g2(args.bytes("q")))
        return result(Values.bytes(AtePairing.value(q, try Values.g1(args.bytes("p"))).value))
    }

    /// That an integer acts as the expected factor: the token is the secret less that many times H(ID).
    private func factor(integer: Int, _ vector: VectorCase) throws -> [String: JSON] {
        guard let integer = Int32(exactly: integer) else { throw VectorProblem("no C int") }
        let factor = try PINFactor(integer: integer)
        return try self.factor(factor, vector)
    }

    private func factor(_ factor: borrowing PINFactor, _ vector: VectorCase) throws -> [String: JSON] {
        let expected = try vector.inside("expect").integer("factor")
        let identity = try Identity(mpinID: Array("factor".utf8))
        let point = try Values.point(identity)
        let whole = point.multiplied(by: Scalar(0x1234_5678_9ABC_DEF0))
        let secret = try Secrets.secret(Values.bytes(whole))
        let token = try ClientToken.extract(identity: identity, factor: factor, clientSecret: secret)
        let without = whole + -point.multiplied(by: Scalar(UInt64(expected)))
        guard Secrets.bytes(token) == (try Values.bytes(without)) else { return [:] }
        return ["factor": .integer(expected)]
    }

    private func javaHash(_ vector: VectorCase) throws -> [String: JSON] {
        let text = try args.text("text")
        let hash = try vector.inside("expect").integer("hash")
        var results: [String: JSON]
        if text.isEmpty {
            // An empty PIN is refused; that its hash is 0 is still checked by way of the integer.
            #expect(throws: CryptoError.invalidPIN) {
                _ = try PINFactor(pin: SecretBytes(capacity: 1), scheme: .mobile2016)
            }
            results = try factor(integer: hash, vector)
        } else {
            let pin = try Secrets.secret(Array(text.utf8))
            let typed = try PINFactor(pin: pin, scheme: .mobile2016)
            results = try factor(typed, vector)
        }
        if try factor(integer: hash, vector) == results { results["hash"] = .integer(hash) }
        return results
    }

    private func clientFirstPass() throws -> [String: JSON] {
        let run = try ClientRun(
            identity: identity(), date: args.integer("date"), x: args.bytes("x"), pin: args.integer("pin"),
            token: args.bytes("token"), permit: args.optionalBytes("permit"))
        var results = ["u": hex(run.u), "sec": hex(run.sec)]
        if let ut = run.ut { results["ut"] = hex(ut) }
        return results
    }

    private func serverFirstPass() throws -> [String: JSON] {
        var results = ["hid": hex(try Values.bytes(Values.point(identity())))]
        if try args.integer("date") != 0 { results["htid"] = hex(try Values.bytes(Values.point(identity(), day()))) }
        return results
    }

    private func serverSecondPass() throws -> [String: JSON] {
        let dated = try args.integer("date") != 0
        let verifier = try Verifier(serverSecret: Secrets.secret(args.bytes("sst")))
        let accepted = try verifier.accepts(
            base: args.bytes(dated ? "htid" : "hid"), commitment: args.bytes(dated ? "ut" : "u"), y: args.bytes("y"),
            v: args.bytes("v"))
        return ["status": .integer(accepted ? 0 : -19)]
    }

    private func challenge() throws -> [String: JSON] {
        let bytes = try args.bytes("commitment_and_message")
        return result(
            try OnePass.challenge(
                time: args.integer("when"), commitment: Array(bytes.prefix(65)), message: Array(bytes.dropFirst(65))))
    }

    private func accessNumber() throws -> [String: JSON] {
        guard let digit = AccessNumber.checkDigit(Array(try args.text("text").utf8)) else { return [:] }
        return ["checksum": .integer(Int(digit) - 0x30)]
    }

    private func valid(_ isValid: Bool) throws -> [String: JSON] {
        guard isValid else { throw CryptoError.invalidPoint }
        return ["valid": .bool(true)]
    }

    private func identity() throws -> Identity { try Identity(mpinID: args.bytes("id")) }

    private func day() throws -> PermitDay {
        guard let day = PermitDay(try args.integer("date")) else { throw CryptoError.invalidDate }
        return day
    }

    private func factor() throws -> PINFactor {
        guard let pin = Int32(exactly: try args.integer("pin")) else { throw VectorProblem("no C int") }
        return try PINFactor(integer: pin)
    }

    private func authority() throws -> TrustAuthority { try Secrets.authority(args.bytes("s")) }

    private func secret(_ key: String) throws -> SecretBytes { try Secrets.secret(args.bytes(key)) }

    private func scalar(_ key: String) throws -> Scalar {
        let bytes = try args.bytes(key)
        return Scalar(reducing: bytes.span)
    }

    private func hex(_ bytes: [UInt8]) -> JSON { .string(Hexadecimal.text(bytes)) }

    private func result(_ bytes: [UInt8]) -> [String: JSON] { ["result": hex(bytes)] }
}

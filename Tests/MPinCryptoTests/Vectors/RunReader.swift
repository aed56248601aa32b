// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Pairing
import Testing

/// Reads cases of complete runs: kinds "mpin-e2e", "upstream-mpin", "mpin-onepass" and "upstream-onepass".
struct RunReader {
    let vector: VectorCase

    static func check(_ vector: VectorCase) throws {
        let reader = RunReader(vector: vector)
        switch vector.kind {
        case "mpin-e2e": try reader.endToEnd()
        case "upstream-mpin": try reader.upstream()
        case "mpin-onepass": try reader.onePass()
        case "upstream-onepass": try reader.upstreamOnePass()
        default: throw VectorProblem("unknown kind \(vector.kind)")
        }
    }

    private func endToEnd() throws {
        try issue()
        let run = try run()
        try same(run.sec, "sec")
        try same(run.answer(vector.bytes("y")), "v")
        let server = try vector.inside("server")
        let identity = try Identity(mpinID: server.bytes("id"))
        #expect(try Values.bytes(Values.point(identity)) == server.bytes("hid"), "\(vector.testDescription): hid")
        let day = try day(server.integer("date"))
        if let day {
            #expect(
                try Values.bytes(Values.point(identity, day)) == server.bytes("htid"), "\(vector.testDescription): htid"
            )
        }
        try verdict(server, of: server, identity, y: server.bytes("y"))
    }

    private func upstream() throws {
        try issue()
        let run = try run()
        try same(run.sec, "sec")
        try same(run.answer(vector.bytes("y")), "v")
        try verdict(vector, of: vector, identity(), y: vector.bytes("y"))
    }

    private func onePass() throws {
        let hashed = try identity().hash
        let authority = try Secrets.authority(vector.bytes("s"))
        try same(Secrets.bytes(authority.serverShare()), "server_secret")
        let secret = try authority.clientShare(hashedID: hashed)
        try same(token(from: secret), "token")
        if let day = try day(vector.integer("date")) {
            let permit = try authority.permitShare(hashedID: hashed, day: day)
            try same(Secrets.bytes(permit), "permit")
        }
        let run = try run()
        let y = try OnePass.challenge(
            time: vector.integer("time"), commitment: run.ut ?? run.u, message: vector.bytes("message"))
        try same(y, "y")
        try same(run.answer(y), "v")
        let server = try vector.inside("server")
        let commitment = try vector.optionalBytes("ut") ?? vector.bytes("u")
        let served = try OnePass.challenge(
            time: server.integer("time"), commitment: commitment, message: server.bytes("message"))
        #expect(try served == server.bytes("y"), "\(vector.testDescription): server's y")
        try verdict(server, of: vector, identity(), y: served)
    }

    private func upstreamOnePass() throws {
        try issue()
        let run = try run()
        let y = try OnePass.challenge(time: vector.integer("time"), commitment: run.ut ?? run.u, message: [])
        try same(y, "y")
        try same(run.answer(y), "v")
        try verdict(vector, of: vector, identity(), y: y)
    }

    /// Key issue and enrollment.
    private func issue() throws {
        let identity = try identity()
        try same(identity.hash, "hashed_id")
        let first = try Secrets.authority(vector.bytes("s1"))
        let second = try Secrets.authority(vector.bytes("s2"))
        try same(Secrets.bytes(first.serverShare()), "server_share_1")
        try same(Secrets.bytes(second.serverShare()), "server_share_2")
        try same(
            Secrets.sum(vector.bytes("server_share_1"), vector.bytes("server_share_2")), "server_secret")
        let share1 = try first.clientShare(hashedID: identity.hash)
        let share2 = try second.clientShare(hashedID: identity.hash)
        try same(Secrets.bytes(share1), "client_share_1")
        try same(Secrets.bytes(share2), "client_share_2")
        let secret = try Shares.recombine(share1, share2)
        try same(Secrets.bytes(secret), "client_secret")
        try same(token(from: secret), "token")
        guard let day = try day(vector.integer("date")) else { return }
        let permitID = try vector.optionalBytes("permit_hashed_id") ?? identity.hash
        let permit1 = try first.permitShare(hashedID: permitID, day: day)
        let permit2 = try second.permitShare(hashedID: permitID, day: day)
        try same(Secrets.bytes(permit1), "permit_share_1")
        try same(Secrets.bytes(permit2), "permit_share_2")
        let permit = try Shares.recombine(permit1, permit2)
        try same(Secrets.bytes(permit), "permit")
    }

    private func token(from secret: borrowing SecretBytes) throws -> [UInt8] {
        guard let pin = Int32(exactly: try vector.integer("pin_setup")) else { throw VectorProblem("no C int") }
        let factor = try PINFactor(integer: pin)
        let token = try ClientToken.extract(identity: identity(), factor: factor, clientSecret: secret)
        return Secrets.bytes(token)
    }

    /// The client's first pass, compared with the file.
    private func run() throws -> ClientRun {
        let token = try vector.optionalBytes("token_used") ?? vector.bytes("token")
        let run = try ClientRun(
            identity: identity(), date: vector.integer("date"), x: vector.bytes("x"),
            pin: vector.integer("pin_login"), token: token, permit: vector.optionalBytes("permit"))
        try same(run.u, "u")
        if let ut = run.ut {
            try same(ut, "ut")
        } else {
            #expect(try (vector.optionalBytes("ut") ?? []).isEmpty, "\(vector.testDescription): ut")
        }
        return run
    }

    /// The server's verdict on a login, compared with the expected one.
    private func verdict(_ expected: VectorCase, of login: VectorCase, _ identity: Identity, y: [UInt8]) throws {
        let (secret, day) = try (login.bytes("server_secret"), day(login.integer("date")))
        let (u, ut, v) = try (login.bytes("u"), login.optionalBytes("ut"), login.bytes("v"))
        let verifier = try Verifier(serverSecret: Secrets.secret(secret))
        let accepted = verifier.accepts(identity: identity, day: day, u: u, ut: ut, y: y, v: v)
        #expect(try expected.integer("status") == (accepted ? 0 : -19), "\(vector.testDescription): verdict")
        guard let e = try expected.optionalBytes("e") else { return }
        let values = try PairingValues(serverSecret: secret, identity: identity, day: day, u: u, ut: ut, y: y, v: v)
        #expect(Values.bytes(values.e) == e, "\(vector.testDescription): E")
        #expect(try Values.bytes(values.f) == expected.bytes("f"), "\(vector.testDescription): F")
    }

    private func identity() throws -> Identity { try Identity(mpinID: vector.bytes("id")) }

    private func day(_ number: Int) throws -> PermitDay? {
        guard number != 0 else { return nil }
        guard let day = PermitDay(number) else { throw VectorProblem("no day: \(number)") }
        return day
    }

    private func same(_ bytes: [UInt8], _ key: String) throws {
        #expect(try bytes == vector.bytes(key), "\(vector.testDescription): \(key)")
    }
}

// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Pairing

/// What the client calculates in one run, for comparison.
struct ClientRun {
    let u: [UInt8]
    let ut: [UInt8]?
    /// SEC = token + alpha A [+ permit], which no interface gives away: the answer to the challenge y = -1 - x is
    /// V = -(x + y) SEC = SEC.
    let sec: [UInt8]

    private let identity: Identity
    private let date: Int
    private let x: [UInt8]
    private let pin: Int32
    private let token: [UInt8]
    private let permit: [UInt8]?

    init(identity: Identity, date: Int, x: [UInt8], pin: Int, token: [UInt8], permit: [UInt8]?) throws {
        guard let pin = Int32(exactly: pin) else { throw VectorProblem("no C int") }
        self.identity = identity
        self.date = date
        self.x = x
        self.pin = pin
        self.token = token
        self.permit = permit
        let session = try ClientRun.session(identity, date, x, pin, token, permit)
        u = session.u
        ut = session.ut
        let trap = -(Scalar(reducing: x.span) + Scalar(1))
        if trap.isZero.isSet {
            // x = r - 1: the challenge 2 gives V = -SEC.
            var two = [UInt8](repeating: 0, count: 32)
            two[31] = 2
            sec = try Values.bytes(-Values.g1(session.answer(challenge: two)))
        } else {
            sec = try session.answer(challenge: Secrets.bytes(trap))
        }
    }

    /// V for a challenge.
    func answer(_ y: [UInt8]) throws -> [UInt8] {
        try ClientRun.session(identity, date, x, pin, token, permit).answer(challenge: y)
    }

    private static func session(
        _ identity: Identity, _ date: Int, _ x: [UInt8], _ pin: Int32, _ token: [UInt8], _ permit: [UInt8]?
    ) throws -> ClientSession {
        let factor = try PINFactor(integer: pin)
        let token = try Secrets.secret(token)
        let x = try Secrets.secret(x)
        guard date != 0 else {
            return try ClientSession(identity: identity, token: token, factor: factor, x: x)
        }
        guard let day = PermitDay(date) else { throw CryptoError.invalidDate }
        guard let permit else { throw VectorProblem("no permit") }
        let permitBytes = try Secrets.secret(permit)
        return try ClientSession(
            identity: identity, token: token, factor: factor, permit: permitBytes, day: day, x: x)
    }
}

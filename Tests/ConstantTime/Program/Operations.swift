// SPDX-License-Identifier: Apache-2.0
import CValgrind
import MPinCrypto
import MPinWire
import Pairing

/// The operations on secrets, each with its secrets marked.
struct Operations {
    let identity: Identity
    let day: PermitDay
    /// 32 bytes below r.
    let scalar: [UInt8] = (0..<32).map { UInt8(truncatingIfNeeded: 5 + 37 * $0) }
    let clientSecret: [UInt8]
    let permit: [UInt8]

    init() throws(CryptoError) {
        identity = try Identity(mpinID: Array("constant@example.org".utf8))
        guard let day = PermitDay(20000) else { throw CryptoError.invalidDate }
        self.day = day
        // Made before anything is marked: what valgrind knows of these bytes is that they are public.
        let authority = try TrustAuthority(master: Operations.plain(scalar))
        let share = try authority.clientShare(hashedID: identity.hash)
        clientSecret = Operations.copy(share)
        let permitShare = try authority.permitShare(hashedID: identity.hash, day: day)
        permit = Operations.copy(permitShare)
    }

    static let all: [(name: String, run: @Sendable (Operations) throws(CryptoError) -> Void)] = [
        ("scalar arithmetic", { $0.scalarArithmetic() }),
        ("inversion", { $0.inversion() }),
        ("G1 multiplication with the endomorphism", { $0.g1Multiplication() }),
        ("G2 multiplication", { $0.g2Multiplication() }),
        ("point parsing and encoding", { it throws(CryptoError) in try it.points() }),
        ("hexadecimal digits", { $0.digits() }),
        ("comparison of secrets", { it throws(CryptoError) in try it.comparison() }),
        ("decimal PIN", { it throws(CryptoError) in try it.pin(.decimal) }),
        ("hashed PIN", { it throws(CryptoError) in try it.pin(.hashed) }),
        ("PIN of the mobile apps", { it throws(CryptoError) in try it.pin(.mobile2016) }),
        ("token extraction", { it throws(CryptoError) in try it.extraction() }),
        ("PIN change", { it throws(CryptoError) in try it.change() }),
        ("share issuing", { it throws(CryptoError) in try it.issuing() }),
        ("share recombination", { it throws(CryptoError) in try it.recombination() }),
        ("pass 1 and 2 without permit, decimal PIN", { it throws(CryptoError) in try it.passes(.decimal) }),
        ("pass 1 and 2 without permit, hashed PIN", { it throws(CryptoError) in try it.passes(.hashed) }),
        ("pass 1 and 2 with permit", { it throws(CryptoError) in try it.permittedPasses() }),
    ]

    /// Operations that decide something, with the most branches that this may take: compilers make one or two of a decision.
    static let deciding: [(name: String, decisions: Int, run: @Sendable (Operations) throws(CryptoError) -> Void)] = [
        ("reading hexadecimal digits", 2, { $0.readDigits() }),
        // The end of the text is looked for at each digit. Then: whether all are digits, and whether they begin with 04.
        ("reading a share from JSON", 2 * (130 + 2), { $0.readShare() }),
        ("the server's check of a login", 2, { it throws(CryptoError) in try it.check() }),
    ]

    private func scalarArithmetic() {
        let secret = Secret.array(scalar)
        let a = Scalar(reducing: secret.span)
        var out = [UInt8](repeating: 0, count: 32)
        var span = out.mutableSpan
        (a + a + -a).encode(into: &span)
        keep(content: out)
        keep(a.isZero)
        keep(Scalar.isCanonical(secret.span))
    }

    private func inversion() {
        let secret = Secret.array(scalar)
        let a = Fp(reducing: secret.span)
        keep(a.inverse)
    }

    private func g1Multiplication() {
        let secret = Secret.array(scalar)
        let product = G1(mapping: identity.hash.span).multiplied(by: Scalar(reducing: secret.span))
        keep(product)
    }

    private func g2Multiplication() {
        let secret = Secret.array(scalar)
        var out = [UInt8](repeating: 0, count: G2.byteCount)
        var span = out.mutableSpan
        keep(G2.generator.multiplied(by: Scalar(reducing: secret.span)).encode(into: &span))
        keep(content: out)
    }

    private func points() throws(CryptoError) {
        let secret = Secret.array(clientSecret)
        let (point, valid) = G1.decode(secret.span)
        keep(valid)
        var out = [UInt8](repeating: 0, count: G1.byteCount)
        var span = out.mutableSpan
        keep((point + -point + point).encode(into: &span))
        keep(content: out)
        keep(point.equals(point))
    }

    private func digits() {
        keep(content: Hex.encode(Secret.array(scalar).span))
    }

    private func readDigits() {
        let text = Secret.digits(Hex.encode(scalar.span))
        keep(content: Hex.decode(text.span) ?? [])
    }

    private func readShare() {
        let head = Array("{\"clientSecret\":\"".utf8)
        let body = Secret.digits(
            head + Hex.encode(clientSecret.span) + Array("\"}".utf8), in: head.count..<(head.count + 130))
        var share = [UInt8](repeating: 0, count: 65)
        var target = share.mutableSpan
        let answer: Void? = try? ShareResponse.clientSecret.decode(body.span, share: &target)
        keep(answer == nil)
        keep(content: share)
    }

    private func comparison() throws(CryptoError) {
        keep(try Secret.bytes(clientSecret).equals(Secret.bytes(permit)))
        keep(try Secret.bytes(permit).equals(Secret.bytes(permit)))
        keep(Hash.equal(Secret.array(scalar), Secret.array(scalar)))
    }

    private func check() throws(CryptoError) {
        let share = try TrustAuthority(master: Operations.plain(scalar)).serverShare()
        Secret.mark(share)
        let verifier = try Verifier(serverSecret: share)
        var point = [UInt8](repeating: 0, count: G1.byteCount)
        var span = point.mutableSpan
        _ = G1(mapping: identity.hash.span).encode(into: &span)
        keep(
            verifier.accepts(
                identity: identity, day: nil, u: point, ut: nil, y: [UInt8](repeating: 3, count: 32), v: point))
    }

    private func pin(_ scheme: PINScheme) throws(CryptoError) {
        let typed = try Secret.bytes(Array("1234".utf8))
        let factor = try PINFactor(pin: typed, scheme: scheme)
        _ = consume factor
    }

    private func factor(_ scheme: PINScheme = .decimal) throws(CryptoError) -> PINFactor {
        let typed = try Secret.bytes(Array("4711".utf8))
        return try PINFactor(pin: typed, scheme: scheme)
    }

    private func extraction() throws(CryptoError) {
        let factor = try factor()
        let secret = try Secret.bytes(clientSecret)
        _ = try ClientToken.extract(identity: identity, factor: factor, clientSecret: secret)
    }

    private func change() throws(CryptoError) {
        let old = try factor()
        let typed = try Secret.bytes(Array("123456".utf8))
        let new = try PINFactor(pin: typed, scheme: .decimal)
        let token = try Secret.bytes(clientSecret)
        _ = try ClientToken.changeFactor(identity: identity, token: token, from: old, to: new)
    }

    private func issuing() throws(CryptoError) {
        let authority = try TrustAuthority(master: Secret.bytes(scalar))
        _ = try authority.serverShare()
        _ = try authority.clientShare(hashedID: identity.hash)
        _ = try authority.permitShare(hashedID: identity.hash, day: day)
    }

    private func recombination() throws(CryptoError) {
        let first = try Secret.bytes(clientSecret)
        let second = try Secret.bytes(permit)
        _ = try Shares.recombine(first, second)
    }

    private func passes(_ scheme: PINScheme) throws(CryptoError) {
        let factor = try factor(scheme)
        let token = try Secret.bytes(clientSecret)
        let session = try ClientSession(
            identity: identity, token: token, factor: factor, x: Secret.bytes(scalar))
        keep(content: try session.answer(challenge: [UInt8](repeating: 3, count: 32)))
    }

    private func permittedPasses() throws(CryptoError) {
        let factor = try factor()
        let token = try Secret.bytes(clientSecret)
        let permit = try Secret.bytes(permit)
        let session = try ClientSession(
            identity: identity, token: token, factor: factor, permit: permit, day: day, x: Secret.bytes(scalar))
        keep(content: try session.answer(challenge: [UInt8](repeating: 3, count: 32)))
    }

    private static func plain(_ bytes: [UInt8]) throws(CryptoError) -> SecretBytes {
        var secret = try SecretBytes(capacity: bytes.count)
        secret.withMutableBytes(count: bytes.count) { target in
            for index in bytes.indices { target[index] = bytes[index] }
        }
        return secret
    }

    private static func copy(_ secret: borrowing SecretBytes) -> [UInt8] {
        secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }
}

/// Makes the optimizer believe that a value is used.
func keep<T>(_ value: T) {
    unsafe withUnsafeBytes(of: value) { bytes in
        if let start = bytes.baseAddress { unsafe mpin_keep(start, bytes.count) }
    }
}

/// Makes the optimizer believe that the content of an array is used.
func keep(content bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress { unsafe mpin_keep(start, bytes.count) }
    }
}

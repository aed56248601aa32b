// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Pairing
import Registers
import Testing

/// That no secret is left where others can find it: the memory below the caller's frame is searched for the limbs of
/// scalars and of points' coordinates, and so are the vector registers, which whatever runs next may put on the stack.
@Suite
struct StackTests {
    /// x, so uncommon that none of its limbs is anywhere by chance.
    let x: [UInt8] = (0..<32).map { 7 &+ 41 &* $0 }

    @Test
    func `no calculation leaves its scalar on the stack`() throws {
        let limbs = stride(from: 0, to: 32, by: 8).map { at in
            x[at..<at + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        let identity = try Identity(mpinID: Array("stack".utf8))
        let token = try Secrets.secret(Values.bytes(Values.point(identity)))
        let factor = try PINFactor(integer: 1234)
        let y = try Challenge.generate()

        let nothing: [UInt64] = [0]

        // The control: without a wipe the search finds what is there.
        leave(limbs)
        let left = found(limbs)
        #expect(left > 0)

        let secret = try Secrets.secret(x)
        leave(nothing)
        let session = try ClientSession(identity: identity, token: token, factor: factor, x: secret)
        let afterBeginning = found(limbs)
        #expect(afterBeginning == 0)
        leave(nothing)
        _ = try session.answer(challenge: y)
        let afterAnswer = found(limbs)
        #expect(afterAnswer == 0)

        let authority = try TrustAuthority(master: Secrets.secret(x))
        leave(nothing)
        _ = try authority.serverShare()
        let afterServerShare = found(limbs)
        #expect(afterServerShare == 0)
        leave(nothing)
        _ = try authority.clientShare(hashedID: identity.hash)
        let afterClientShare = found(limbs)
        #expect(afterClientShare == 0)
    }

    @Test
    func `no calculation leaves a point in the registers or on the stack`() throws {
        let identity = try Identity(mpinID: Array("stack".utf8))
        let token = try Secrets.secret(Values.bytes(Values.point(identity)))
        let factor = try PINFactor(integer: 1234)
        let y = try Challenge.generate()
        // The token is H(ID) here, so that what a login restores from it is 1235 H(ID).
        let restored = try words(multiple: 1235, of: identity)
        let own = try words(multiple: 1, of: identity)
        let both = try words(multiple: 2, of: identity)

        // The control.
        registers_fill(restored[0])
        registers_take()
        let left = taken(restored)
        #expect(left > 0)

        let session = try ClientSession(identity: identity, token: token, factor: factor)
        registers_take()
        let afterBeginning = found(restored) + taken(restored)
        #expect(afterBeginning == 0)
        _ = try session.answer(challenge: y)
        registers_take()
        let afterAnswer = found(restored) + taken(restored)
        #expect(afterAnswer == 0)

        let share = try token.copy()
        _ = try Shares.recombine(token, share)
        registers_take()
        let afterRecombining = found(own + both) + taken(own + both)
        #expect(afterRecombining == 0)
    }

    /// The words by which a multiple of H(ID) would be known: of the limbs inside of calculations and of the encoding, in
    /// either order of its bytes.
    private func words(multiple: UInt64, of identity: Identity) throws -> [UInt64] {
        let point = G1(mapping: identity.hash.span).multiplied(by: Scalar(multiple))
        var encoding = [UInt8](repeating: 0, count: G1.byteCount)
        var span = encoding.mutableSpan
        _ = point.encode(into: &span)
        var words: [UInt64] = []
        for at in stride(from: 1, to: 65, by: 8) {
            let word = encoding[at..<at + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            words += [word, word.byteSwapped]
        }
        // Decoded, its third coordinate is one; the other two are as a calculation begins with them.
        let decoded = G1.decode(encoding.span).point
        unsafe withUnsafeBytes(of: decoded) { bytes in
            for at in stride(from: 0, to: 64, by: 8) {
                words.append(unsafe bytes.load(fromByteOffset: at, as: UInt64.self))
            }
        }
        return words
    }

    /// How often one of the words was in a vector register when those were taken down.
    private func taken(_ words: [UInt64]) -> Int {
        (0..<registers_count()).count { words.contains(registers_word($0)) }
    }

    /// Puts the limbs on the stack, 120 words of them, and returns.
    @inline(never)
    private func leave(_ limbs: [UInt64]) {
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 120) { words in
            for index in words.indices { unsafe words[index] = limbs[index % limbs.count] }
            unsafe use(words)
        }
    }

    /// Nothing that the optimizer knows of.
    @inline(never)
    private func use(_ words: UnsafeMutableBufferPointer<UInt64>) {
        if unsafe words[0] == 1 { print("one") }
    }

    /// How often one of the limbs is in the 24 KiB below this frame.
    @inline(never)
    private func found(_ limbs: [UInt64]) -> Int {
        var here: UInt64 = 0
        // By way of an integer, or the compiler takes what is outside the variable for nothing.
        let top = unsafe withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
        var count = 0
        for depth in UInt(2)..<3072 {
            guard let place = unsafe UnsafePointer<UInt64>(bitPattern: top - 8 * depth) else { return -1 }
            let word = unsafe place.pointee
            for limb in limbs where limb == word { count += 1 }
        }
        return count
    }
}

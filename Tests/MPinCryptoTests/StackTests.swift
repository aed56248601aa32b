import MPinCrypto
import Pairing
import Testing

/// That no scalar is left on the stack: the memory below the caller's frame is searched for its limbs.
@Suite("The stack after a calculation")
struct StackTests {
    /// x, so uncommon that none of its limbs is anywhere by chance.
    let x: [UInt8] = (0..<32).map { 7 &+ 41 &* $0 }

    @Test("No calculation leaves its scalar on the stack")
    func leftovers() throws {
        let limbs = stride(from: 0, to: 32, by: 8).map { at in
            x[at..<at + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        let identity = try Identity(mpinID: Array("stack".utf8))
        let token = try Secrets.secret(identity.encodedPoint())
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

    /// Puts the limbs on the stack, 120 words of them, and goes.
    @inline(never)
    private func leave(_ limbs: [UInt64]) {
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 120) { words in
            for index in words.indices { unsafe words[index] = limbs[index % limbs.count] }
            unsafe use(words)
        }
    }

    /// Nothing that the optimiser knows of.
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

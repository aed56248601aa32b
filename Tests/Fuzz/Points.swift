// SPDX-License-Identifier: Apache-2.0
import MPinCrypto

/// Points and numbers from the wire, and the whole check of a login over them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = unsafe input(start, count)
    _ = PointCheck.isG1(bytes)
    try? readTwistPoint(Array(bytes.prefix(128)))
    // One after the other: U, UT, V, y, the day, and the rest is the identity.
    var rest = bytes[...]
    func next(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
    let u = next(65), ut = next(65), v = next(65), y = next(32)
    let day = next(2).reduce(0) { $0 << 8 | Int($1) }
    guard let verifier, let identity = try? Identity(mpinID: Array(rest)) else { return 0 }

    // No answer is right by chance: it would be a login without a secret.
    demand(!verifier.accepts(identity: identity, day: PermitDay(day), u: u, ut: ut, y: y, v: v))
    demand(!verifier.accepts(identity: identity, day: nil, u: u, ut: nil, y: y, v: v))
    _ = try? verifier.accepts(base: u, commitment: ut, y: y, v: v)
    return 0
}

/// Has bytes read as a point of G2.
private func readTwistPoint(_ bytes: [UInt8]) throws {
    var share = try SecretBytes(capacity: max(1, bytes.count))
    share.withMutableBytes(count: bytes.count) { target in
        for index in bytes.indices { target[index] = bytes[index] }
    }
    _ = try Verifier(serverSecret: share)
}

private let verifier: Verifier? = {
    guard let authority = try? TrustAuthority.generate(), let share = try? authority.serverShare() else { return nil }
    return try? Verifier(serverSecret: share)
}()

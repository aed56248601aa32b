// SPDX-License-Identifier: Apache-2.0
import MPinWire

/// The proof at the end of an answer, which a client splits off before it reads the answer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let body = unsafe input(start, count)
    if let (signedCount, signature) = AnswerProof.split(body.span) {
        demand(signedCount > 1 && signedCount < body.count && signature.count == 64)
        // The digits of the signature may be in upper case.
        demand(isSplit(Array(body[..<signedCount]), signature))
    }
    if let signedCount = AnswerProof.signedCount(of: body.span) {
        demand(isSplit(Array(body[..<signedCount]), (0..<64).map { UInt8($0) }))
    }
    return 0
}

/// Whether an answer that ends in a proof is split into the bytes and the signature that it was made of.
private func isSplit(_ signed: [UInt8], _ signature: [UInt8]) -> Bool {
    let answer = signed + AnswerProof.tail(signature)
    guard let split = AnswerProof.split(answer.span) else { return false }
    return split.signedCount == signed.count && split.signature == signature
}

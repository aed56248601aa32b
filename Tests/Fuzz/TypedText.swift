// SPDX-License-Identifier: Apache-2.0
import MPinCrypto

/// What a person types to enroll: the fingerprint of a server's key, and an enrollment code.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let typed = String(decoding: unsafe input(start, count), as: UTF8.self)
    if let fingerprint = KeyFingerprint(typed) {
        demand(fingerprint.bytes.count == 32)
        demand(KeyFingerprint(fingerprint.text) == fingerprint)
    }
    if let symbols = EnrollmentCode.symbols(typed) {
        demand(symbols.count == EnrollmentCode.length)
        demand(EnrollmentCode.symbols(String(decoding: symbols, as: UTF8.self)) == symbols)
    }
    return 0
}

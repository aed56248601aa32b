// SPDX-License-Identifier: Apache-2.0
import MPinWire

/// The answers that carry a secret point, which goes into a buffer of its own.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let body = unsafe input(start, count)
    var buffer = [UInt8](repeating: 0, count: 65)
    var share = buffer.mutableSpan
    _ = try? SignatureResponse.decode(body.span, share: &share)
    _ = try? ShareResponse.clientSecret.decode(body.span, share: &share)
    _ = try? TimePermitResponse.decode(body.span, share: &share)
    _ = try? ShareResponse.timePermit.decode(body.span, share: &share)
    _ = try? PermitStoreBody.decode(body.span, share: &share)
    return 0
}

// SPDX-License-Identifier: Apache-2.0
import MPinWire

/// Query strings, hexadecimal digits and paths.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = unsafe input(start, count)
    let text = String(decoding: bytes, as: UTF8.self)
    _ = Query.isWellFormed(text)
    _ = try? SignatureQuery.decode(text)
    _ = try? PermitQuery.decode(text)
    for needsIdentity in [true, false] {
        guard let query = try? ShareQuery.decode(text, needsIdentity: needsIdentity) else { continue }
        let again = try? ShareQuery.decode(query.encode(), needsIdentity: needsIdentity)
        demand(again?.expires.utf8.elementsEqual(query.expires.utf8) ?? false)
    }
    // A value put into a query comes out of it, except that NUL never does.
    var query = Query()
    query.add(.message, text)
    if !bytes.contains(0) {
        let value = Query.value(of: .message, in: query.string)
        demand(value.map { $0.utf8.elementsEqual(text.utf8) } ?? false)
    }
    if let decoded = Hex.decode(bytes.span) {
        demand(bytes.count == 2 * decoded.count)
        demand(HexText(bytes: decoded).lowercased.string.utf8.elementsEqual(text.lowercased().utf8))
    }
    var buffer = [UInt8](repeating: 0, count: 65)
    var target = buffer.mutableSpan
    _ = Hex.decode(bytes.span, into: &target)
    return 0
}

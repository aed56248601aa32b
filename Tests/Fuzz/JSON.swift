// SPDX-License-Identifier: Apache-2.0
import MPinWire

/// The reader of JSON itself: every way to ask for a member, of members that are there and that are not.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let body = unsafe input(start, count)
    for allowsEmpty in [true, false] {
        guard let object = try? JSONObject(body.span, allowsEmpty: allowsEmpty) else { continue }
        for field in [MemberName.userID, .version, .message, .users, .extensions, .active, .token] {
            _ = object.contains(field, in: body.span)
            _ = object.raw(field, in: body.span)
            let _: ByteText? = try? object.text(field, in: body.span)
            let _: ByteText? = object.displayText(field, in: body.span)
            _ = try? object.integer(field, in: body.span)
            _ = object.displayInteger(field, in: body.span)
            _ = try? object.optionalFlag(field, in: body.span)
            _ = object.displayFlag(field, default: true, in: body.span)
            _ = try? object.texts(field, in: body.span)
            _ = try? object.object(field, in: body.span)
            _ = try? object.hexText(field, count: 1...4096, in: body.span)
            _ = try? object.bytes(field, count: 16, in: body.span)
            var buffer = [UInt8](repeating: 0, count: 65)
            var target = buffer.mutableSpan
            try? object.secretPoint(field, in: body.span, into: &target)
        }
        // What was read as a text and is written again must be read as the same text.
        if let text: ByteText = try? object.text(.message, in: body.span) {
            for escapes in [true, false] {
                var writer = JSONWriter()
                writer.add(.message, text)
                let written = escapes ? writer.finishInASCII() : writer.finish()
                let again: ByteText? = try? JSONObject(written.span).text(.message, in: written.span)
                demand(again == text)
            }
        }
    }
    return 0
}

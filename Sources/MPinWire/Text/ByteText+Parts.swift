// SPDX-License-Identifier: Apache-2.0
extension ByteText {
    /// The parts between separators of one byte, without empty parts.
    @inline(never)
    package func parts(between separators: Constant) -> [ByteText] {
        var parts: [ByteText] = []
        var part = ByteText()
        for byte in bytes {
            if !separators.contains(byte) {
                part.append(byte)
            } else if !part.isEmpty {
                parts.append(part)
                part = ByteText()
            }
        }
        if !part.isEmpty { parts.append(part) }
        return parts
    }
}

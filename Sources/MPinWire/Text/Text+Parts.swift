extension Text {
    /// The parts between separators, without empty ones.
    @inline(never)
    package func parts(between isSeparator: (UInt8) -> Bool) -> [Text] {
        var parts: [Text] = []
        var part = Text()
        for byte in bytes {
            if !isSeparator(byte) {
                part.append(byte)
            } else if !part.isEmpty {
                parts.append(part)
                part = Text()
            }
        }
        if !part.isEmpty { parts.append(part) }
        return parts
    }
}

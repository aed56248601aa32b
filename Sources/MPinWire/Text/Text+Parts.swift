extension Text {
    /// The parts between separators, each of one byte, without empty ones.
    @inline(never)
    package func parts(between separators: Constant) -> [Text] {
        var parts: [Text] = []
        var part = Text()
        for byte in bytes {
            if !separators.contains(byte) {
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

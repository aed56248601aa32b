extension StaticString {
    /// The same text as a string.
    @inline(never)
    package var text: String {
        withUTF8Buffer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

extension StaticString {
    /// Whether a text has exactly these bytes.
    ///
    /// Compared as bytes because equality of strings needs the Unicode tables, which the smallest module leaves out.
    package func matches(_ text: String) -> Bool {
        withUTF8Buffer { unsafe $0.elementsEqual(text.utf8) }
    }

    /// The same text as a string.
    @inline(never)
    package var text: String {
        withUTF8Buffer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

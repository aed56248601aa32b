extension ByteText {
    /// The bytes of what an application gave.
    package init(_ string: String) {
        self.init(Array(string.utf8))
    }

    /// The same for an application.
    package var string: String { String(decoding: bytes, as: UTF8.self) }
}

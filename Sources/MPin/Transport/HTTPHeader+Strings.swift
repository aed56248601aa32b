internal import MPinWire

extension HTTPHeader {
    /// A header for every request.
    ///
    /// - Parameters:
    ///   - name: a token of HTTP; not one that says how the message is framed or where it goes.
    ///   - value: printable ASCII.
    /// - Returns: `nil` for anything else.
    public init?(name: String, value: String) {
        self.init(name: ByteText(name), value: ByteText(value))
    }

    /// The name, as it was given.
    public var name: String { nameText.string }
    /// The value, as it was given.
    public var value: String { valueText.string }
}

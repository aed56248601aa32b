internal import MPinWire

extension HTTPHeader {
    /// - Parameters:
    ///   - name: a token of HTTP; not one that says how the message is framed or where it goes.
    ///   - value: printable ASCII.
    /// - Returns: `nil` for anything else.
    public init?(name: String, value: String) {
        self.init(name: ByteText(name), value: ByteText(value))
    }

    public var name: String { nameText.string }
    public var value: String { valueText.string }
}

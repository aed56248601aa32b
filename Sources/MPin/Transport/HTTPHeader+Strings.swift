// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension HTTPHeader {
    /// Makes a header for every request.
    ///
    /// - Parameters:
    ///   - name: an HTTP token, except names that define the framing or the destination of the message.
    ///   - value: printable ASCII.
    /// - Returns: `nil` for anything else.
    public init?(name: String, value: String) {
        self.init(name: ByteText(name), value: ByteText(value))
    }

    /// The name, as it was passed.
    public var name: String { nameText.string }
    /// The value, as it was passed.
    public var value: String { valueText.string }
}

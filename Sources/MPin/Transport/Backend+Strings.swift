// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension Backend {
    /// Reads an address.
    ///
    /// - Parameter text: `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
    /// - Returns: `nil` for any other form, including plain `http:`.
    public init?(_ text: String) {
        self.init(ByteText(text))
    }

    /// The address as a string.
    public var text: String { address.string }
}

// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension PIN {
    /// Copies a PIN from a text, such as `PIN(copying: field.text.utf8)`.
    ///
    /// The text itself stays in memory for as long as it is referenced, and nothing wipes it. If possible, write the
    /// PIN in place with ``fill(count:_:)``, or pass its digits to ``init(digits:)``.
    ///
    /// - Parameter text: the text's UTF-8.
    /// - Throws: CRYPTO_ERROR if there is no memory; PIN_INPUT_CANCELED if the text is longer than ``longest``.
    public init(copying text: String.UTF8View) throws(MPinError) {
        guard text.count <= PIN.longest else { throw MPinError(.pinInputCanceled, "The PIN is too long.") }
        try self.init()
        fill(count: text.count) { target in
            var position = 0
            for byte in text where position < target.count {
                target[position] = byte
                position += 1
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
extension ByteText {
    /// Makes one from the UTF-8 of a string.
    package init(_ string: String) {
        self.init(Array(string.utf8))
    }

    /// The text as a string, for applications.
    package var string: String { String(decoding: bytes, as: UTF8.self) }
}

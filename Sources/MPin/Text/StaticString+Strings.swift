// SPDX-License-Identifier: Apache-2.0
extension StaticString {
    /// The text as a `String`.
    @inline(never)
    package var text: String {
        withUTF8Buffer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

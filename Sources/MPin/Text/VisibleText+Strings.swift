// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension VisibleText {
    package static func sanitized(_ text: String, limit: Int) -> String {
        sanitized(ByteText(text), limit: limit).string
    }
}

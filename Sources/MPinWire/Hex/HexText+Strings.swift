// SPDX-License-Identifier: Apache-2.0
extension HexText {
    /// The digits as a string.
    package var string: String { digits.string }
}

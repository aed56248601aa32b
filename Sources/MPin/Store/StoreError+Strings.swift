// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension StoreError {
    /// One sentence for users and logs.
    public var message: String { text.string }
}

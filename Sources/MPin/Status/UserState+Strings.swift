// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension UserState {
    /// The state with that Milagro name, or `nil`.
    package init?(name: String) {
        self.init(name: ByteText(name))
    }
}

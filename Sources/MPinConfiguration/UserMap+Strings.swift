// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension UserMap {
    /// Reads a rule; see ``ConfigurationRow/Kind/template``.
    ///
    /// - Returns: `nil` unless it has `%u` exactly once, and no other percent sign except `%%`.
    package init?(_ template: String) {
        self.init(ByteText(template))
    }

    /// The identity of an account; nil if its name is empty, has invisible characters, or is too long.
    package func identity(for account: String) -> String? { identity(for: ByteText(account))?.string }
}

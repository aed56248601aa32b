internal import MPinWire

extension UserMap {
    /// Reads a rule; see ``ConfigurationRow/Kind/template``.
    ///
    /// - Returns: `nil` unless it has `%u` exactly once, and no other percent sign but `%%`.
    package init?(_ template: String) {
        self.init(ByteText(template))
    }

    /// The identity of an account; nil when its name is empty, has characters that cannot be seen, or is too long.
    package func identity(for account: String) -> String? { identity(for: ByteText(account))?.string }
}

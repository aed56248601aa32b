internal import MPinWire

extension UserState {
    /// The state of that name, or `nil`.
    package init?(name: String) {
        self.init(name: ByteText(name))
    }
}

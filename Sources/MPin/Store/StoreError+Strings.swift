internal import MPinWire

extension StoreError {
    /// One sentence for people and logs.
    public var message: String { text.string }
}

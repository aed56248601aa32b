extension MPinError: CustomStringConvertible {
    /// The status by its Milagro name, and the sentence.
    public var description: String { code.name.text + ": " + message }
}

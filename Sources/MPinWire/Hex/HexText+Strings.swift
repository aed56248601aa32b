extension HexText {
    /// The digits as a string.
    package var string: String { digits.string }
}

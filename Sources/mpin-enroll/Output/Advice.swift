/// What to do next: words, and where there is one the command that does it.
struct Advice {
    let words: String
    /// A command of this program without its name; shown with the options that this call was given.
    let command: String?
    /// Whether the command is this call itself, with more rights.
    private let isElevated: Bool

    init(_ words: String, _ command: String? = nil) {
        (self.words, self.command, isElevated) = (words, command, false)
    }

    private init(elevated words: String) {
        (self.words, command, isElevated) = (words, nil, true)
    }

    /// The same call with the rights of root.
    static var useSudo: Advice { Advice(elevated: "Use sudo") }

    func text(_ options: CommonOptions) -> String {
        if isElevated { return words + ": " + CommonOptions.elevatedLine }
        guard let command else { return words }
        return words + ": " + options.line(command)
    }
}

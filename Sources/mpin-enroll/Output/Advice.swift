/// What to do next: words, and where there is one the command that does it.
struct Advice {
    let words: String
    /// A command of this program without its name; shown with the options that this call was given.
    let command: String?

    init(_ words: String, _ command: String? = nil) {
        self.words = words
        self.command = command
    }

    func text(_ options: CommonOptions) -> String {
        guard let command else { return words }
        return words + ": " + options.line(command)
    }
}

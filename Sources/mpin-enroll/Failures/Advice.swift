import MPin

/// What to do next: words, and where there is one the command that does it.
struct Advice {
    private enum Kind {
        case plain
        /// The command is this call itself, with more rights.
        case elevated
        /// The words end in a command of the system's that takes the place of the store.
        case aboutStore
    }

    let words: String
    /// A command of this program without its name; shown with the options that this call was given.
    let command: String?
    private let kind: Kind

    init(_ words: String, _ command: String? = nil) {
        (self.words, self.command, kind) = (words, command, .plain)
    }

    /// - Parameter words: they end in a command that the path of the store is put behind.
    init(aboutStore words: String) {
        self.init(words, .aboutStore)
    }

    private init(_ words: String, _ kind: Kind) {
        (self.words, command, self.kind) = (words, nil, kind)
    }

    /// The same call with the rights of root.
    static var useSudo: Advice { Advice("Use sudo", .elevated) }

    func text(_ options: CommonOptions) -> String {
        switch kind {
        case .elevated: return words + ": " + CommonOptions.elevatedLine
        case .aboutStore:
            let configured = try? options.configuration().store
            return words + " " + CommonOptions.quoted(configured ?? FileStore.standardDirectory)
        case .plain:
            guard let command else { return words }
            return words + ": " + options.line(command)
        }
    }
}

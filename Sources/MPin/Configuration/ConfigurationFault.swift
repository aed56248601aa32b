/// What is wrong with a configuration, and where.
///
/// Never repeats what was written, so that a log shows nothing of a file that was named by mistake.
public struct ConfigurationFault: Error, Sendable {
    /// Where a setting stands.
    public enum Place: Sendable {
        /// The file as a whole.
        case file(String)
        /// A line of the file, counted from 1.
        case line(Int, file: String)
        /// An argument, counted from 1.
        case argument(Int)
        /// Settings that do not go together.
        case together
    }

    public let place: Place
    /// What is wrong, a part of a sentence.
    public let reason: String

    init(_ place: Place, _ reason: StaticString) {
        self.place = place
        self.reason = reason.text
    }

    init(_ place: Place, _ reason: StaticString, _ option: ConfigurationOption) {
        self.place = place
        self.reason = option.name.text + " " + reason.text
    }

    /// One line for the log and for people.
    public var message: String {
        switch place {
        case .file(let path): path + ": " + reason
        case .line(let line, let path): path + " line \(line): " + reason
        case .argument(let number): "argument \(number): " + reason
        case .together: reason
        }
    }
}

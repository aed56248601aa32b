/// One step of a stack, with the place where it is written.
public struct StackEntry: Sendable {
    public enum Facility: String, Sendable, CaseIterable {
        case auth, account, password, session
    }

    public enum Step: Sendable {
        /// A module, as it is named, and its arguments.
        case module(String, [String])
        /// A line that cannot be understood, or names a file that cannot be read: it fails, with the reason.
        case failure(String)
        /// The beginning of a substack, which does nothing itself.
        case substack
    }

    /// Where a step is written.
    public struct Position: Hashable, Sendable {
        public let file: String
        /// Counted from 1.
        public let line: Int
    }

    public let facility: Facility
    public let step: Step
    /// How many substacks it lies in.
    public let level: Int
    public let place: Position
    /// The control as it is written, without brackets.
    public let controlWords: String
    let control: StackControl

    /// The name of the module's file, without its directory; `nil` where there is none.
    public var moduleName: String? {
        guard case .module(let path, _) = step else { return nil }
        return path.split(separator: "/").last.map(String.init) ?? path
    }

    /// What is wrong with the control of a module.
    public var fault: StackFault? {
        guard control.isMistaken, case .module = step else { return nil }
        return StackFault(
            place: place,
            reason:
                "'\(controlWords)' is not a PAM control, so libpam treats every result of the module as a refusal")
    }

    /// The control with its brackets.
    public var shownControl: String { controlWords.contains("=") ? "[\(controlWords)]" : controlWords }
}

/// How the lines of the log are written.
enum LogFormat: String, Sendable {
    case text
    /// One object a line.
    case json
}

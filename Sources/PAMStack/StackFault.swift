/// Why libpam can make nothing of a file, and where that is written.
public struct StackFault: Hashable, Sendable {
    public let place: StackEntry.Position
    public let reason: String

    /// The place and the reason.
    public var sentence: String { "\(place.file) line \(place.line): \(reason)." }
}

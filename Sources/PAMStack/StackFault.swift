// SPDX-License-Identifier: Apache-2.0

/// An error in a PAM file and its position.
public struct StackFault: Hashable, Sendable {
    public let place: StackEntry.Position
    public let reason: String

    public var sentence: String { "\(place.file) line \(place.line): \(reason)." }
}

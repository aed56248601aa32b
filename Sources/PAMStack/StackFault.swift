// SPDX-License-Identifier: Apache-2.0

/// An error in a PAM file and its position.
package struct StackFault: Hashable, Sendable {
    package let place: StackEntry.Position
    package let reason: String

    package var sentence: String { "\(place.file) line \(place.line): \(reason)." }
}

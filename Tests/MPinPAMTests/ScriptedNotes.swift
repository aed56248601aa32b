// SPDX-License-Identifier: Apache-2.0
import MPin

/// The notes of attempts as the store keeps them, in memory.
struct ScriptedNotes {
    private struct Note {
        let serving: String
        var end: AttemptEnd
    }

    private var ended: [Note] = []

    /// The process that serves the connection.
    var serving = "1"
    /// Attempts that other processes are making.
    var inFlight = 0
    /// Those of them that other processes will not end.
    var stalled = 0
    /// How many milliseconds of waiting end the others.
    var endsAfter: Int64?
    /// Whether anything can be noted.
    var isWritable = true

    func counts(making: Int = 0) -> AttemptCounts {
        var counts = AttemptCounts()
        counts.inFlight = inFlight + making
        counts.stalled = stalled
        for note in ended {
            let isOwn = note.serving == serving
            switch note.end {
            case .notCounted: break
            case .maybeCounted, .wrong(nil):
                counts.unresolved += 1
                if isOwn { counts.ownUnresolved += 1 }
            case .wrong(let left?):
                counts.left = min(counts.left ?? left, left)
                if isOwn { counts.ownLeft = min(counts.ownLeft ?? left, left) }
            }
        }
        return counts
    }

    mutating func end(_ end: AttemptEnd) {
        guard isWritable else { return }
        if case .wrong(.some) = end { ended.removeAll { [.maybeCounted, .wrong(left: nil)].contains($0.end) } }
        if end != .notCounted { ended.append(Note(serving: serving, end: end)) }
    }

    mutating func clear() { ended = [] }
}

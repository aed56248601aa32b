// SPDX-License-Identifier: Apache-2.0

/// Scenarios that are played several times: by both callers, and with alternatives to one line.
extension Scenario {
    private static let both = "callers both"
    private static let callers = ["known", "stranger"]
    private static let or = "or "

    /// Each way to play it, without the marks.
    var variants: [Scenario] { alternatives.flatMap(\.ofItsCallers) }

    private var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The places of the lines that begin with `or`.
    private var otherLines: Range<Int> {
        let lines = self.lines
        let isOther = { (line: Substring) in line.trimmingPrefix("  ").hasPrefix(Self.or) }
        let first = lines.firstIndex(where: isOther) ?? lines.endIndex
        return first..<(lines[first...].firstIndex { !isOther($0) } ?? lines.endIndex)
    }

    private var alternatives: [Scenario] {
        let lines = self.lines, others = otherLines
        guard !others.isEmpty else { return [self] }
        let first = lines[others.lowerBound - 1]
        return ([first] + lines[others]).map { line in
            let own = Substring(line.replacing(Self.or, with: "", maxReplacements: 1))
            let rest = lines[others.upperBound...].map { Self.naming(own, insteadOf: first, in: $0) }
            return with(lines[..<(others.lowerBound - 1)] + [own] + rest)
        }
    }

    /// A line of the log, which names service, remote host and result, after a change of one of these settings.
    private static func naming(_ setting: Substring, insteadOf old: Substring, in line: Substring) -> Substring {
        let (new, old) = (setting.split(separator: " "), old.split(separator: " "))
        guard line.contains("log "), new.count > 1, old.count > 1, new[0] == old[0] else { return line }
        let name = new[0] == "server" ? "result" : new[0]
        return Substring(line.replacing(" \(name)=\(old[1]) ", with: " \(name)=\(new[1]) "))
    }

    private var ofItsCallers: [Scenario] {
        let lines = self.lines
        guard lines.dropFirst().first == Self.both[...] else { return [self] }
        return Self.callers.map { caller in
            with(
                lines.compactMap { line -> Substring? in
                    if line == Self.both { return "callers \(caller)" }
                    guard let mark = Self.callers.first(where: { line.hasPrefix("  \($0): ") }) else { return line }
                    return mark == caller ? "  " + line.dropFirst("  : ".count + mark.count) : nil
                })
        }
    }

    private func with(_ lines: some Sequence<Substring>) -> Scenario {
        Scenario(file: file, text: lines.joined(separator: "\n"), firstLine: firstLine)
    }

    /// The text of which these are the variants. Only those of the first alternative are looked at.
    func merged(_ played: [String]) -> String {
        var merged = (text.contains(Self.both) ? Self.merged(played[0], played[1]) : played[0])
            .split(separator: "\n", omittingEmptySubsequences: false)
        let others = otherLines
        if !others.isEmpty, let place = merged.firstIndex(of: lines[others.lowerBound - 1]) {
            merged.insert(contentsOf: lines[others], at: place + 1)
        }
        return merged.joined(separator: "\n")
    }

    private static func merged(_ known: String, _ stranger: String) -> String {
        var lines: [String] = []
        var rest = stranger.split(separator: "\n", omittingEmptySubsequences: false)[...]
        func takeEvents(_ count: Int) {
            for event in rest.prefix(count) { lines.append("  stranger: " + event.dropFirst(2)) }
            rest = rest.dropFirst(count)
        }
        for line in known.split(separator: "\n", omittingEmptySubsequences: false) {
            let events = rest.prefix { $0.hasPrefix("  ") }
            if !line.hasPrefix("  ") {
                takeEvents(events.count)
                rest = rest.dropFirst()
                lines.append(line == "callers known" ? both : String(line))
            } else if let place = events.firstIndex(of: line) {
                takeEvents(place - events.startIndex)
                rest = rest.dropFirst()
                lines.append(String(line))
            } else {
                lines.append("  known: " + line.dropFirst(2))
            }
        }
        takeEvents(rest.count)
        return lines.joined(separator: "\n")
    }
}

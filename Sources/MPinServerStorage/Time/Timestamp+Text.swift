// SPDX-License-Identifier: Apache-2.0
extension Timestamp {
    /// Reads a time in UTC: `YYYY-MM-DD`, `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS`, with or without a `Z` at the end.
    package init?(utc text: String) {
        var text = text[...]
        if text.hasSuffix("Z"), text.contains("T") { text = text.dropLast() }
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard 1...2 ~= halves.count, let date = Self.numbers(halves[0], separator: "-", widths: [4, 2, 2]) else {
            return nil
        }
        var time = [0, 0, 0]
        if halves.count == 2 {
            let widths = [Int](repeating: 2, count: halves[1].utf8.count > 5 ? 3 : 2)
            guard let given = Self.numbers(halves[1], separator: ":", widths: widths) else { return nil }
            time = given + [Int](repeating: 0, count: 3 - given.count)
        }
        guard time[0] < 24, time[1] < 60, time[2] < 60, 1970...9999 ~= date[0], 1...12 ~= date[1], 1...31 ~= date[2]
        else { return nil }
        let seconds = Self.days(date) * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2]
        self.init(seconds: Int64(seconds))
        // The 31st day of a month of 30 days would become the first day of the next month.
        guard zulu.hasPrefix(halves[0]) else { return nil }
    }

    private static func numbers(_ text: Substring, separator: Character, widths: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == widths else { return nil }
        let isPlain = parts.allSatisfy { $0.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }
        return isPlain ? parts.compactMap { Int($0) } : nil
    }

    /// Days since 1970-01-01, counted in years that begin on 1 March.
    private static func days(_ date: [Int]) -> Int {
        let year = date[1] > 2 ? date[0] : date[0] - 1
        let dayOfYear = (153 * (date[1] + (date[1] > 2 ? -3 : 9)) + 2) / 5 + date[2] - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}

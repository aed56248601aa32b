// SPDX-License-Identifier: Apache-2.0

extension SigningClock {
    /// Converts a time in UTC, `YYYY-MM-DDTHH:MM:SS` with any suffix, to milliseconds since 1970-01-01; nil for another
    /// form.
    static func milliseconds(_ text: String) -> Int? {
        let bytes = Array(text.utf8.prefix(19))
        guard bytes.count == 19, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " ") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var number = 0
            for byte in bytes[range] {
                guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return number
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            year >= 1970, 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60
        else { return nil }
        // The days of the civil calendar, in years that begin with March.
        let (years, months) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let days = years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 719_469
        return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000
    }
}

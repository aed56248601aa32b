// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import FoundationEssentials
import Glibc

/// A length of time on the command line: `90`, `90s`, `15m`, `24h` or `3d`.
package struct Lifetime: ExpressibleByArgument {
    package let seconds: Int

    package init?(argument: String) {
        let units = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        let unit = argument.last.flatMap { units[String($0)] }
        let digits = unit == nil ? argument[...] : argument.dropLast()
        guard 1...9 ~= digits.count, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits) else {
            return nil
        }
        seconds = number * (unit ?? 1)
    }

    /// How long a code is valid: `valid 24 hours (until Fri 18:45)`, in the time zone of this machine.
    ///
    /// - Parameter end: a time of ISO 8601 in UTC. Other text, which a server may send, is shown as it is.
    package static func text(until end: String) -> String {
        guard let time = try? Date(end, strategy: .iso8601) else { return "valid until \(end)" }
        // The moment at which the code was made has just passed.
        let left = time.timeIntervalSinceNow.rounded(.up)
        func count(_ seconds: Double) -> Int { max(0, Int(left / seconds + 0.1)) }
        let units: [(String, Double)] = [("day", 86_400), ("hour", 3_600), ("minute", 60)]
        let (name, seconds) = units.first { count($0.1) >= 2 } ?? ("second", 1)
        let number = count(seconds)
        var (moment, parts) = unsafe (time_t(time.timeIntervalSince1970), tm())
        unsafe localtime_r(&moment, &parts)
        // The name of the day is unique for a week.
        let format = count(86_400) < 7 ? "%a %H:%M" : "%Y-%m-%d"
        let clock = unsafe String(unsafeUninitializedCapacity: 64) { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe strftime($0.baseAddress, $0.count, format, &parts) }
        }
        return "valid \(number) \(name)\(number == 1 ? "" : "s") (until \(clock))"
    }
}

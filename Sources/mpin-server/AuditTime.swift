// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import MPinServer
import MPinServerStorage

/// A time on the command line: a whole day, or one moment.
struct AuditTime: ExpressibleByArgument {
    /// The moment, or the first moment of the day.
    let start: Timestamp
    private let isDay: Bool

    /// The end of the day, at midnight; for a moment, the moment itself.
    var end: Timestamp { isDay ? start.adding(seconds: 86_400) : start }

    init?(argument: String) {
        if let seconds = Int64(argument), 0...253_402_300_799 ~= seconds {
            (start, isDay) = (Timestamp(seconds: seconds), false)
        } else if let time = Timestamp(utc: argument) {
            (start, isDay) = (time, !argument.contains("T"))
        } else {
            return nil
        }
    }
}

import ArgumentParser
import MPinServer

/// A time on the command line: a day, or a moment of it.
struct AuditTime: ExpressibleByArgument {
    /// Its beginning.
    let start: Timestamp
    private let isDay: Bool

    /// Where what it names is over: a day lasts until midnight, any other time ends where it begins.
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

// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage

/// What health, `status` and the log say if logins were accepted by a clock that was ahead. Until the clock reaches
/// their times, those devices can log in only with a time after them, whenever they signed it.
enum ClockFault {
    /// A restore puts the horizon less far ahead, in seconds.
    private static let tolerance: Int64 = 300

    static func text(_ times: LatestTimes, at now: Timestamp) -> String? {
        let ahead = times.seconds(ahead: now)
        guard ahead > tolerance else { return nil }
        let time = "\(ahead / 3_600) h \(ahead % 3_600 / 60) min"
        return "the clock was ahead: logins were accepted with times that it reaches in \(time)"
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage

extension RegistrationRecord {
    /// An administrator's reason, shortened to the length that clients show.
    static func shown(_ reason: String) -> String {
        var short = String.UnicodeScalarView()
        var length = 0
        for scalar in reason.unicodeScalars {
            length += UTF8.width(scalar)
            guard length <= 200 else { break }
            short.append(scalar)
        }
        return String(short)
    }
}

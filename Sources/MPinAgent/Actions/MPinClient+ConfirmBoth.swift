// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
package import MPin

extension MPinClient {
    /// Fetches both shares. If only the second authority fails, the request to it is repeated for a minute, for which
    /// the signature of the request is valid: the first authority issues its share only once, and the share is kept in
    /// memory meanwhile.
    ///
    /// - Parameter notice: called once, before the first repetition.
    package mutating func confirmBoth(_ user: User, notice: () -> Void = {}) throws(MPinError) {
        let limit = Deadline(millisecondsFromNow: 60_000)
        var pause: Int64 = 1
        while true {
            do throws(MPinError) { return try confirmRegistration(user) } catch {
                guard user.holdsFirstShare, !limit.hasPassed else { throw error }
            }
            if pause == 1 { notice() }
            mpin_pause_ns(pause * 1_000_000_000)
            pause = min(pause * 2, 5)
        }
    }
}

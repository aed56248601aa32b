// SPDX-License-Identifier: Apache-2.0

/// The verdict on the digits of a mail.
package enum DigitsVerdict: Sendable {
    case right
    case wrong(triesLeft: Int)
    /// There were too many wrong digits for this mail, or there is no mail.
    case void
    /// There were too many wrong digits today, from this source or for this mailbox.
    case spent
}

// SPDX-License-Identifier: Apache-2.0

/// What the steps of an enrollment find out for later ones.
final class EnrollmentProgress {
    var pin: NewPIN?
    /// The M-Pin IDs of discarded unfinished registrations that the server still has.
    var abandoned: [String] = []
}

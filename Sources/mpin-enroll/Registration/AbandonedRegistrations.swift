// SPDX-License-Identifier: Apache-2.0

/// Discarded unfinished registrations that the server still has. A class, so that each step can add to it.
final class AbandonedRegistrations {
    var mpinIDs: [String] = []
}

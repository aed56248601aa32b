/// Unfinished registrations that were given up, which the server still knows. A class, so that each step can add to it.
final class AbandonedRegistrations {
    var mpinIDs: [String] = []
}

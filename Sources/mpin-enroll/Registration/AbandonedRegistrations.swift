/// Registrations that were begun and given up; a class so that each step can add to them.
final class AbandonedRegistrations {
    var mpinIDs: [String] = []
}

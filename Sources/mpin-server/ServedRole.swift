import ArgumentParser

/// What `--role` may be.
enum ServedRole: String, ExpressibleByArgument, CaseIterable {
    /// All that people log in to, with the second authority or without.
    case server
    /// A second authority by itself.
    case authority
}

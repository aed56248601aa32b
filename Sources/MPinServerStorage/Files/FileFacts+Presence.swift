internal import Glibc

extension FileFacts {
    /// Whether something has that name.
    package static func isThere(_ path: String) -> Bool {
        if case .success = of(path) { true } else { false }
    }

    /// Whether there is a file of that name with anything in it.
    package static func hasBytes(_ path: String) -> Bool {
        var facts = stat()
        return unsafe lstat(path, &facts) == 0 && facts.st_size > 0
    }
}

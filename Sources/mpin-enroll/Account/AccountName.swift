import Glibc

/// The accounts of this machine, by name.
enum AccountName {
    /// The account of the name that somebody gave, as the system spells it; `nil` when there is none.
    ///
    /// Some directories take a name in capitals or with a domain behind it for the same account. Its records are found
    /// by one spelling only: the one that modules get.
    static func canonical(_ given: String) -> String? {
        guard !given.isEmpty, let entry = unsafe getpwnam(given) else { return nil }
        return unsafe String(cString: entry.pointee.pw_name)
    }

    /// The account that the program runs for.
    static var own: String? {
        guard let entry = unsafe getpwuid(getuid()) else { return nil }
        return unsafe String(cString: entry.pointee.pw_name)
    }

    /// The account that called sudo; `nil` outside of it.
    static var caller: String? {
        guard geteuid() == 0, let name = unsafe getenv("SUDO_USER") else { return nil }
        return unsafe String(cString: name)
    }
}

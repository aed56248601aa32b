// SPDX-License-Identifier: Apache-2.0
import Glibc
import SystemFiles

enum AccountName {
    /// The account's name as the account database spells it; `nil` when the database has no such account.
    ///
    /// Some directory services accept capitals or a trailing domain as the same account. Records are stored under one
    /// spelling only: the one that PAM modules get from the database.
    static func canonical(_ given: String) -> String? {
        guard !given.isEmpty, let entry = unsafe getpwnam(given) else { return nil }
        return unsafe String(cString: entry.pointee.pw_name)
    }

    /// Whether the account database could not be read, so that it is unknown whether the account exists.
    static func isLookupBroken(_ name: String) -> Bool {
        errno = 0
        return unsafe getpwnam(name) == nil && ![0, ENOENT, ESRCH, EBADF, EPERM].contains(errno)
    }

    /// The account of the real user id.
    static var own: String? { FileFacts.account(getuid()) }

    /// The account that ran sudo; `nil` if sudo did not start this program.
    static var caller: String? {
        guard geteuid() == 0, let name = unsafe getenv("SUDO_USER") else { return nil }
        return unsafe String(cString: name)
    }
}

/// The host name, which servers show in their lists of devices.
enum HostName {
    static var current: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The host name, or "this machine" if it is unknown.
    static var here: String {
        let name = current
        return name.isEmpty ? "this machine" : name
    }
}

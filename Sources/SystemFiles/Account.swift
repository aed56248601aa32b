// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import Glibc

/// A user of this host, by the entry in the user database.
package struct Account: Sendable {
    package let name: String
    package let user: UInt32
    private let group: UInt32

    package init?(_ user: UInt32) {
        guard let entry = unsafe getpwuid(user) else { return nil }
        name = unsafe String(cString: entry.pointee.pw_name)
        group = unsafe entry.pointee.pw_gid
        self.user = user
    }

    /// Makes this process of root one of the account, with all its groups, for good.
    ///
    /// - Throws: ``SystemError``. Then the process must not go on.
    package func become() throws(SystemError) {
        let result = mpin_process_become(name, user, group)
        guard result == 0, getuid() == user, geteuid() == user else { throw SystemError(-result) }
    }
}

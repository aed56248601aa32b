// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPin

// Sockets that not every user may connect to, like that of `mpin-server` before Linux 6.16.
extension CommandFailure {
    /// The failure to connect for lack of permission; `nil` if this process has the permission.
    static func closedSocket(_ error: MPinError, at server: String) -> CommandFailure? {
        let scheme = "unix:"
        guard error.code == .networkError, !error.isLocal, server.hasPrefix(scheme) else { return nil }
        let path = String(server.dropFirst(scheme.count))
        guard unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0, errno == EACCES else { return nil }
        return CommandFailure(
            .notPermitted, error.code.name.text, "This user may not connect to \(server).", advice: Advice.useSudo)
    }
}

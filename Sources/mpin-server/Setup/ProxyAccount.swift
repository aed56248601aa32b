// SPDX-License-Identifier: Apache-2.0
import Glibc
import MPinServerStorage
import SystemFiles

/// The account of this host that a TLS proxy runs as, and the socket on which the server listens for it.
///
/// Every program that runs as this account is a proxy for the server.
struct ProxyAccount {
    let name: String
    private let group: String

    /// - Throws: ``ServerError`` if there is no such account, or if it cannot be a proxy's.
    init(_ name: String) throws(ServerError) {
        let hint = "Name the user that the proxy runs as, for example www-data, caddy or haproxy."
        guard Self.isPlain(name), let entry = unsafe getpwnam(name) else {
            throw ServerError(.noSuchUser, "--behind-proxy: no account \(name) on this host", hint: hint)
        }
        let (user, number) = unsafe (entry.pointee.pw_uid, entry.pointee.pw_gid)
        guard user != 0, name != ServerAccount.name else {
            throw ServerError(.usage, "--behind-proxy: the proxy's requests do not come from \(name)", hint: hint)
        }
        guard let entry = unsafe getgrgid(number) else {
            throw ServerError(.configuration, "the group \(number) of the account \(name) does not exist")
        }
        let group = unsafe String(cString: entry.pointee.gr_name)
        guard number != 0, Self.isPlain(group) else {
            throw ServerError(.configuration, "the group \(group) of the account \(name) cannot be a proxy's")
        }
        (self.name, self.group) = (name, group)
    }

    /// The directory of the socket, in which only the account's group can connect.
    ///
    /// HAProxy connects after it has changed its root directory, which is this one in all distributions.
    var directory: String { name == "haproxy" ? "/var/lib/haproxy/mpin" : "/run/mpin-proxy" }

    var socket: String { directory + "/server.sock" }

    /// The command that makes the directory. The socket in it gets its group, which the server could not give.
    var makeDirectory: String {
        "/usr/bin/install -d -o \(ServerAccount.name) -g \(group) -m 2750 \(directory)"
    }

    /// Makes sure that only root can replace the directory, which root makes at each start.
    func check() throws(ServerError) {
        let parent = FileName.parent(of: directory)
        guard FileFacts.isThere(parent) else {
            throw ServerError(
                .configuration, "\(parent) does not exist", hint: "Install the proxy first, and run setup again.")
        }
        try SetupFile.demandRoot(parent)
    }

    /// Whether a name has only characters that are safe in units, settings and command lines.
    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix("-")
            && name.utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "._-".utf8.contains($0)
            }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import CommandSyntax
internal import Foundation
internal import Glibc
internal import MPinServerStorage

/// `/etc/mpin/server.conf.d`: files of settings that programs write, so that only the administrator edits
/// `server.conf`.
package enum SettingsDirectory {
    /// No other file of settings has such a directory.
    package static let path = ServerDirectory.installedConfiguration + ".d"

    /// The files to read, in the byte order of their names. A later file overrides those before it.
    static func files() throws(ServerError) -> [String] {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else {
            let error = SystemError()
            if error.number == ENOENT { return [] }
            throw error.fault(path, hint: "Check its mode: ls -ld \(path)")
        }
        guard facts.st_mode & 0o022 == 0 else {
            throw ServerError(
                .configuration, "\(path) is writable by users other than its owner",
                hint: "Check its content.\nThen run: chmod go-w \(path)")
        }
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
            throw SystemError(reading: path).fault(path, hint: "Check its mode: ls -ld \(path)")
        }
        return names.filter { $0.hasSuffix(".conf") && !$0.hasPrefix(".") }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(path)/\($0)" }
    }
}

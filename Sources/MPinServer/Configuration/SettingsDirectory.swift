// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import MPinServerStorage
internal import SystemFiles

/// `/etc/mpin/server.conf.d`: files of settings that programs write, so that only the administrator edits
/// `server.conf`.
package enum SettingsDirectory {
    /// No other file of settings has such a directory.
    package static let path = ServerDirectory.installedConfiguration + ".d"

    /// The files to read, in the byte order of their names. A later file overrides those before it.
    static func files() throws(ServerError) -> [String] {
        let facts: FileFacts
        let names: [String]
        do throws(SystemError) {
            facts = try FileFacts.of(target: path).get()
            names = try Directory.names(in: path)
        } catch {
            if error.number == ENOENT { return [] }
            throw error.fault(path, hint: "Check its mode: ls -ld \(path)")
        }
        guard !facts.isWritableByOthers else {
            throw ServerError(
                .configuration, "\(path) is writable by users other than its owner",
                hint: "Check its content.\nThen run: chmod go-w \(path)")
        }
        return names.filter { $0.hasSuffix(".conf") && !$0.hasPrefix(".") }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(path)/\($0)" }
    }
}

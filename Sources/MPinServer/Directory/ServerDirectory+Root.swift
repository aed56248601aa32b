// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import MPinServerStorage
internal import SystemFiles

extension ServerDirectory {
    /// The settings in `/etc/mpin`, for a command that applies them as root. Ignores what another account can change.
    ///
    /// - Throws: ``ServerError`` if a file or directory is writable for others than root, or is a link.
    package static func readRootConfiguration() throws(ServerError) -> ServerConfiguration {
        try demandRoot("/etc/mpin")
        try demandRoot(SettingsDirectory.path)
        for file in try SettingsDirectory.files() { try demandRoot(file) }
        try demandRoot(installedConfiguration)
        // Unlike the installed server, this does not use the settings in its directory if that file is missing.
        return try ServerDirectory("/etc/mpin").readConfiguration()
    }

    private static func demandRoot(_ path: String) throws(ServerError) {
        guard let facts = FileFacts(of: path) else { return }
        guard facts.owner == 0, facts.isFile || facts.isDirectory, facts.mode & 0o022 == 0 else {
            throw ServerError(
                .configuration, "users other than root can change \(path), so root does not use it",
                hint: "Check its content. Root must own it, with mode 0644 (directory: 0755). It must not be a link.")
        }
    }
}

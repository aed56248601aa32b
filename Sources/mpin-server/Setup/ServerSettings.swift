// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage

/// The settings that `setup` gives a new server: all its clients have device keys, because it has no older clients.
/// They are in a separate file, so that the package can replace `server.conf`.
struct ServerSettings {
    private static let path = SettingsDirectory.path + "/10-setup.conf"
    private static let line = "legacy = refuse"
    private static let text = """
        # Registrations must have a device key. To allow clients without one, set legacy = allow in
        # /etc/mpin/server.conf, which overrides this file. See mpin-server.conf(5).
        \(line)

        """

    /// Writes the file, unless it exists.
    static func write(_ steps: inout SetupSteps) throws(ServerError) {
        for directory in [(SettingsDirectory.path as NSString).deletingLastPathComponent, SettingsDirectory.path] {
            guard unsafe mkdir(directory, 0o755) == 0 || errno == EEXIST else { throw failed(directory) }
        }
        var facts = stat()
        guard unsafe lstat(path, &facts) != 0 else {
            return steps.note("settings", "\(path) exists. It was not changed.")
        }
        // The server does not read files with this name.
        let partial = path + ".new"
        unsafe unlink(partial)
        let file = unsafe open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw failed(partial) }
        let bytes = Array(text.utf8)
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
        let isWritten = count == bytes.count && fchmod(file, 0o644) == 0 && fsync(file) == 0
        close(file)
        guard isWritten, unsafe rename(partial, path) == 0 else {
            unsafe unlink(partial)
            throw failed(path)
        }
        steps.done("settings", "wrote \(path): \(line)")
    }

    private static func failed(_ path: String) -> ServerError {
        ServerError(.cannotCreate, "cannot write \(path): \(unsafe String(cString: strerror(errno)))")
    }
}

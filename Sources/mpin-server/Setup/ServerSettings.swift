// SPDX-License-Identifier: Apache-2.0
import MPinServer
import MPinServerStorage
import SystemFiles

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
        try SetupFile.make(directory: FileName.parent(of: SettingsDirectory.path))
        try SetupFile.make(directory: SettingsDirectory.path)
        guard !FileFacts.isThere(path) else { return steps.note("settings", "\(path) exists. It was not changed.") }
        // The server does not read files with the name that an incomplete one has.
        try SetupFile.write(text, to: path, .replacing)
        steps.done("settings", "wrote \(path): \(line)")
    }
}

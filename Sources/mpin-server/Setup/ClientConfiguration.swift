// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import SystemFiles

/// `/etc/mpin/mpin.conf`, which tells logins on this host where the server is.
struct ClientConfiguration {
    static let path = "/etc/mpin/mpin.conf"
    private static let directory = "/etc/mpin"
    private static let enrollments = "/var/lib/mpin/users"

    private let line: String

    init(socket: String) { line = "server = unix:\(socket)" }

    /// Creates the file. An existing file is never changed.
    ///
    /// - Returns: whether logins use this server.
    func write(_ steps: inout SetupSteps) throws(ServerError) -> Bool {
        try SetupFile.make(directory: Self.directory)
        // With the lock, a second `setup` finds the file of the first one.
        guard let lock = try? SystemFile(Self.directory, O_RDONLY | O_DIRECTORY), flock(lock.descriptor, LOCK_EX) == 0
        else { throw SetupFile.failed(Self.directory, SystemError()) }
        DurableFile.removeDrafts(in: Self.directory)
        if let text = try read() {
            let isHere = Self.server(in: text).map { "server = \($0)" } == line
            steps.note(
                "configuration",
                isHere
                    ? "\(Self.path) already names this server"
                    : "\(Self.path) exists and does not name this server. It was not changed.\n"
                        + "To use this server, write this line before the first section, and no other server:\n\(line)")
            return isHere
        }
        let text = "# The M-Pin server for logins on this host; see mpin.conf(5).\n\(line)\n"
        try SetupFile.write(text, to: Self.path, .new)
        withExtendedLifetime(lock) {}
        steps.done("configuration", "wrote \(Self.path): \(line)")
        return true
    }

    /// What logins of this host use instead of its own server; nil if nothing shows that they do.
    func otherServer() throws(ServerError) -> String? {
        let configured = try read().flatMap(Self.server)
        if let configured { return "server = \(configured)" == line ? nil : "\(Self.path) names \(configured)." }
        // An enrollment names its server itself. A configured server would hide it.
        let files = (try? FileManager.default.contentsOfDirectory(atPath: Self.enrollments)) ?? []
        let accounts = files.filter { $0.hasSuffix(".json") && !isHere(Self.enrollments + "/" + $0) }
            .map { String($0.dropLast(".json".count)) }.sorted()
        return accounts.isEmpty
            ? nil : "Accounts of this host are enrolled at another server: \(accounts.joined(separator: ", "))."
    }

    /// Whether the enrollments in a file are at the server of this host.
    private func isHere(_ file: String) -> Bool {
        guard let content = SystemFile.load(file) else { return false }
        return String(decoding: content, as: UTF8.self).contains("\"\(line.dropFirst("server = ".count))\"")
    }

    private func read() throws(ServerError) -> String? {
        guard FileFacts.isThere(Self.path) else { return nil }
        guard let content = SystemFile.load(Self.path) else {
            throw ServerError(.configuration, "cannot read \(Self.path)")
        }
        return String(decoding: content, as: UTF8.self)
    }

    /// The address of the server in the text; nil if there is none.
    private static func server(in text: String) -> String? {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, parts[0].lowercased() == "server" else { continue }
            return parts[1].prefix { $0 != " " && $0 != "\t" }.filter { $0 != "\"" }
        }
        return nil
    }
}

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

    static var isThere: Bool { FileFacts.isThere(path) }

    static func write(_ steps: inout SetupSteps) throws(ServerError) {
        try SetupFile.make(directory: FileName.parent(of: SettingsDirectory.path))
        try SetupFile.make(directory: SettingsDirectory.path)
        guard !isThere else { return steps.note("settings", "\(path) exists. It was not changed.") }
        // The server does not read files with the name that an incomplete one has.
        try SetupFile.write(text, to: path, .replacing)
        steps.done("settings", "wrote \(path): \(line)")
    }
}

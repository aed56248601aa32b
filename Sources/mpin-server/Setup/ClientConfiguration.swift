// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import SystemFiles

/// `/etc/mpin/mpin.conf`, which tells logins on this host where the server is.
struct ClientConfiguration {
    static let path = "/etc/mpin/mpin.conf"
    private static let directory = "/etc/mpin"

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
            let wanted = Self.wanted(text, line)
            guard wanted != text else {
                steps.note("configuration", "\(Self.path) already names this server")
                return true
            }
            let isSilent = wanted == line + "\n" + text
            steps.note(
                "configuration",
                isSilent
                    ? "\(Self.path) exists and names no server. It was not changed.\n"
                        + "To use this server, add this as its first line:\n\(line)"
                    : "\(Self.path) exists and names another server. It was not changed.\nTo use this server:\n"
                        + Self.difference(text, wanted))
            return false
        }
        let text = "# The M-Pin server for logins on this host; see mpin.conf(5).\n\(line)\n"
        try SetupFile.write(text, to: Self.path, .new)
        withExtendedLifetime(lock) {}
        steps.done("configuration", "wrote \(Self.path): \(line)")
        return true
    }

    /// The content of the file; nil if it does not exist.
    private func read() throws(ServerError) -> String? {
        guard FileFacts.isThere(Self.path) else { return nil }
        guard let content = SystemFile.load(Self.path) else {
            throw ServerError(.configuration, "cannot read \(Self.path)")
        }
        return String(decoding: content, as: UTF8.self)
    }

    /// The text with this server in it, instead of another server or before the first section.
    private static func wanted(_ text: String, _ line: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for (index, old) in lines.enumerated() {
            let parts = old.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, parts[0].lowercased() == "server" else { continue }
            let value = parts[1].prefix { $0 != " " && $0 != "\t" }.filter { $0 != "\"" }
            if "server = \(value)" != line { lines[index] = line }
            return lines.joined(separator: "\n")
        }
        return line + "\n" + text
    }

    /// The difference in the form of `diff -u`, without context.
    private static func difference(_ old: String, _ new: String) -> String {
        let (old, new) = (old.components(separatedBy: "\n"), new.components(separatedBy: "\n"))
        let changes = new.difference(from: old)
        let removed = changes.removals.map { change in
            if case .remove(_, let line, _) = change { "-\(line)" } else { "" }
        }
        let inserted = changes.insertions.map { change in
            if case .insert(_, let line, _) = change { "+\(line)" } else { "" }
        }
        return (["--- \(path)", "+++ \(path)"] + removed + inserted).joined(separator: "\n")
    }
}

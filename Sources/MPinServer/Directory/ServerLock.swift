// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import MPinServerStorage
internal import SystemFiles

/// The lock that lets only one process serve a directory, because the count of attempts needs a single server.
final class ServerLock: Sendable {
    /// A length above that of any socket path.
    private static let longestPath = 256

    private let file: SystemFile

    /// Takes the lock.
    ///
    /// - Throws: ``ServerError`` of kind `unavailable` while another process holds it.
    init(_ directory: ServerDirectory, waits: Bool = false) throws(ServerError) {
        let path = directory.lock
        let file: SystemFile
        do throws(FileError) { file = try SystemFile(path, O_RDWR | O_CREAT | O_NOFOLLOW) } catch {
            throw ServerError(.storage, "cannot open \(path): \(error.cause.text)")
        }
        try RegularFile.check(path)
        while waits, flock(file.descriptor, LOCK_EX) != 0, errno == EINTR {}
        guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw Self.busy(directory, LockHolder(file.facts)?.process)
        }
        self.file = file
    }

    /// Writes the path of the server's status socket into the lock file, for `backup`; nil for none.
    ///
    /// If it cannot be written, `backup` finds no socket and opens the key itself.
    func announce(statusSocket: String?) {
        _ = ftruncate(file.descriptor, 0)
        guard let statusSocket else { return }
        let bytes = Array(FileName.absolute(statusSocket).utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(file.descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// The status socket of the last server of a directory; nil for none.
    static func statusSocket(of directory: ServerDirectory) -> String? {
        // The directory's owner could have put another kind of file there, and opening a named pipe would block root.
        guard let file = try? SystemFile.regular(directory.lock, O_RDONLY | O_NOFOLLOW),
            let bytes = try? file.read(upTo: longestPath),
            let path = String(bytes: bytes, encoding: .utf8), path.hasPrefix("/")
        else { return nil }
        return path
    }

    /// The process that serves a directory; nil if none does.
    static func server(of directory: ServerDirectory) -> Int32? {
        guard let holder = LockHolder(directory.lock)?.process, command(of: holder) == "serve" else { return nil }
        return holder
    }

    private static func busy(_ directory: ServerDirectory, _ holder: Int32?) -> ServerError {
        // An administrator's command ends by itself, and does not belong to a unit.
        if let holder, let command = Self.command(of: holder), command != "serve" {
            return ServerError(
                .unavailable, "'mpin-server \(command)' (process \(holder)) is using this directory",
                hint: "Nothing was changed. Wait until it ends, then try again.\nOr stop it: " + "sudo kill \(holder)")
        }
        let isUnit = directory.path == ServerDirectory.installed && Systemd.isRunning
        let stop = isUnit ? "sudo systemctl stop mpin-server" : holder.map { "sudo kill \($0)" }
        return ServerError(
            .unavailable, "another mpin-server\(holder.map { " (process \($0))" } ?? "") serves this directory",
            hint: stop.map { "Stop it first: \($0)" } ?? "Stop it first.")
    }

    /// The command of this program that a process runs; nil if it is not known.
    static func command(of process: Int32) -> String? {
        guard let line = SystemFile.load("/proc/\(process)/cmdline") else { return nil }
        let words = line.split(separator: 0, omittingEmptySubsequences: false)
        // It may be any text, because the process that holds the lock may be another program.
        guard words.count > 1, !words[1].isEmpty, words[1].count <= 16,
            words[1].allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "-") })
        else { return nil }
        return String(decoding: words[1], as: UTF8.self)
    }
}

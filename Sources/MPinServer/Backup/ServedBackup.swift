// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import MPinServerStorage
internal import SystemFiles

/// A backup that the running server has made and authenticated, because another process cannot always open its key.
struct ServedBackup {
    /// How many seconds the server may be silent, because it first copies its database.
    private static let patience = 600
    private static let longestHead = 4096
    /// How many bytes a copy may be larger than the database and its log.
    private static let margin = 16 << 20

    let taken: String
    let keyName: String

    /// Writes a backup to an existing empty file.
    ///
    /// - Returns: nil if no server provides one. Then the content of the file is undefined.
    init?(of directory: ServerDirectory, to path: String) {
        guard let status = StatusConnection(of: directory, patience: Self.patience) else { return nil }
        do {
            let file = try SystemFile(path, O_WRONLY | O_TRUNC | O_NOFOLLOW)
            let request =
                "POST \(StatusResponder.backupPath) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
                + "Connection: close\r\n\r\n"
            guard status.file.send(request), let head = try Self.head(status.file), let size = head.size,
                size >= 0, size <= Self.largestSize(of: directory)
            else { return nil }
            var rest = size
            while rest > 0 {
                let bytes = try status.file.read(upTo: min(rest, 1 << 20))
                // The server has ended in the meantime.
                if bytes.isEmpty { return nil }
                try file.write(bytes.span)
                rest -= bytes.count
            }
            try BackupFile(name: path, path: path).checkHeader()
            guard let keyName = try BackupMAC.keyName(in: path) else { return nil }
            (taken, self.keyName) = (head.taken, keyName)
        } catch { return nil }
    }

    /// The size up to which an answer can be a copy of the database in a directory.
    private static func largestSize(of directory: ServerDirectory) -> Int {
        ["", "-wal"].reduce(margin) { $0 + (FileFacts(target: directory.database + $1)?.size ?? 0) }
    }

    /// Reads the head of the answer.
    ///
    /// - Returns: nil if the server provides no backup.
    private static func head(_ connection: borrowing SystemFile) throws(FileError) -> (size: Int?, taken: String)? {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let next = try connection.read(upTo: 1)
            guard !next.isEmpty, bytes.count < longestHead else { return nil }
            bytes += next
        }
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        guard lines[0].hasPrefix("HTTP/1.1 200") else { return nil }
        func value(_ name: String) -> String? {
            lines.first { $0.lowercased().hasPrefix(name + ":") }.map {
                $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
            }
        }
        // Checked, because the time is printed.
        guard let taken = value(StatusResponder.takenHeader), Timestamp(utc: taken) != nil else { return nil }
        return (value("content-length").flatMap { Int($0) }, taken)
    }
}

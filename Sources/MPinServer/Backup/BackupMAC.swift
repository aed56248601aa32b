// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinCrypto
internal import MPinServerRoles
internal import MPinServerStorage
internal import MPinWire
internal import SystemFiles

/// The message authentication code (MAC) at the end of a backup. It covers every byte before it, under a key derived from
/// the sealing key, so a backup that was altered is refused before SQLite opens it.
struct BackupMAC {
    private static let head = "\nmpin-server backup MAC 1 "
    private static let nameSize = 9
    /// Bytes at the end of a backup: the head, the name of the key, a space, the code in hexadecimal, a line feed.
    private static let size = head.utf8.count + nameSize + 1 + 2 * Hash.byteCount + 1

    /// The name of the sealing key. The code does not cover it: it only helps to find the right key.
    let keyName: String
    private let code: [UInt8]
    private let content: BackupContent

    /// Adds the code of a key to a file.
    static func append(to path: String, _ root: SealKey) throws(ServerError) -> String {
        let name = try root.identifier
        let code = try code(of: BackupContent(path), root)
        let text = Array("\(head)\(name) ".utf8) + Hex.encode(code.span) + [UInt8(ascii: "\n")]
        guard text.count == size else { throw ServerError(.internalFault, "the MAC of the backup has the wrong size") }
        try PrivateFile.append(text, to: path)
        return name
    }

    /// Removes the code from a copy that no other process changes; nil if the file does not end with a code.
    init?(detachedFrom path: String) throws(ServerError) {
        guard let tail = try PrivateFile.tail(of: path, Self.size), let parts = Self.parts(tail) else { return nil }
        (keyName, code) = parts
        try PrivateFile.cut(path, Self.size)
        content = try BackupContent(path)
    }

    /// The name of the key in the code at the end of a file; nil if the file does not end with a code.
    static func keyName(in path: String) throws(ServerError) -> String? {
        try PrivateFile.tail(of: path, size).flatMap(parts)?.keyName
    }

    func isMade(by root: SealKey) throws(ServerError) -> Bool { Hash.equal(try Self.code(of: content, root), code) }

    /// The error for a backup without a MAC, unless the caller has accepted such backups.
    ///
    /// It contains no ready command, because the file may come from an attacker.
    static func missing(_ file: String) -> ServerError {
        ServerError(
            .badInput, "\(file) has no MAC, so it may have been altered",
            hint: """
                Nothing was changed. A backup has no MAC if 'backup' could not open the key, or if
                the MAC was removed. Restore another backup if you have one. If no other user could
                alter the file, add the option --unauthenticated.
                """)
    }

    /// The error for a backup that has a MAC of the right key over other bytes.
    static func altered(_ file: String) -> ServerError {
        ServerError(
            .badInput, "\(file) was altered after mpin-server made it",
            hint: "Nothing was changed. The MAC does not match the content. Restore another backup.")
    }

    private static func parts(_ tail: [UInt8]) -> (keyName: String, code: [UInt8])? {
        let head = Array(Self.head.utf8)
        guard tail.count == size, tail.starts(with: head), tail.last == UInt8(ascii: "\n") else { return nil }
        let name = tail[head.count..<head.count + nameSize]
        let digits = tail[(head.count + nameSize + 1)..<(size - 1)]
        guard name.allSatisfy({ 0x21...0x7E ~= $0 }), tail[head.count + nameSize] == UInt8(ascii: " "),
            let code = Hex.decode(Array(digits).span)
        else { return nil }
        return (String(decoding: name, as: UTF8.self), code)
    }

    private static func code(of content: BackupContent, _ root: SealKey) throws(ServerError) -> [UInt8] {
        do throws(CryptoError) { return try Hash.hmac(key: root.derive(.backup), content.message) } catch {
            throw ServerError(.internalFault, "cannot compute a MAC: \(error)")
        }
    }
}

/// The input of a backup's MAC: the size of the file, and the SHA-256 digest of each MiB of it.
struct BackupContent {
    private static let chunk = 1 << 20

    let message: [UInt8]

    init(_ path: String) throws(ServerError) {
        let file = try ServerError.ofFiles { () throws(FileError) in try SystemFile(path) }
        var digests: [UInt8] = []
        var size: UInt64 = 0
        while case let bytes = try ServerError.ofFiles({ () throws(FileError) in try file.read(upTo: Self.chunk) }),
            !bytes.isEmpty
        {
            size += UInt64(bytes.count)
            do throws(CryptoError) { digests += try Hash.sha256(bytes) } catch {
                throw ServerError(.internalFault, "cannot compute a digest: \(error)")
            }
        }
        let sizeBytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: size >> (8 * UInt64($0))) }
        message = Array("mpin-server backup 1\n".utf8) + sizeBytes + digests
    }
}

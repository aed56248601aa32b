// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerRoles
internal import MPinServerStorage
internal import MPinWire
internal import SystemFiles

/// The file of a sealing key that a TPM has sealed: three lines, without a secret.
struct TPMKeyFile: Equatable {
    private static let head = "mpin-server sealing key in a TPM, form 1"
    private static let limit = 4096

    /// The name of the recovery key of the same key.
    let identifier: String
    let blob: [UInt8]

    init(identifier: String, blob: [UInt8]) { (self.identifier, self.blob) = (identifier, blob) }

    /// Whether an open file is one, and not one that contains a key itself. Reads from its start.
    static func isOne(_ file: borrowing SystemFile) -> Bool {
        guard lseek(file.descriptor, 0, SEEK_SET) == 0 else { return false }
        return (try? file.read(upTo: head.utf8.count))?.elementsEqual(head.utf8) == true
    }

    /// Reads such a file.
    init(path: String) throws(ServerError) {
        try self.init(
            ServerError.ofFiles { () throws(FileError) in try SystemFile.regular(path, O_RDONLY | O_NOFOLLOW) })
    }

    /// Reads such a file, which is open.
    init(_ file: borrowing SystemFile) throws(ServerError) {
        let path = file.path
        let bytes: [UInt8]
        do throws(FileError) { bytes = try file.read(upTo: Self.limit) } catch { throw ServerError(error) }
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 4, lines[0] == Self.head, lines[3].isEmpty, lines[1].hasPrefix("key "),
            lines[1].utf8.count <= 32, lines[2].hasPrefix("blob "),
            let blob = Hex.decode(Array(lines[2].utf8.dropFirst(5)).span), !blob.isEmpty
        else { throw ServerError(.configuration, "\(path) is damaged", next: "reseal --recovery-key-file -") }
        self.init(identifier: String(lines[1].dropFirst(4)), blob: blob)
    }

    var text: [UInt8] {
        let digits = String(decoding: Hex.encode(blob.span), as: UTF8.self)
        return Array("\(Self.head)\nkey \(identifier)\nblob \(digits)\n".utf8)
    }
}

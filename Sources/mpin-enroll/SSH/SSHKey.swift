// SPDX-License-Identifier: Apache-2.0
import Console
import FoundationEssentials
import SystemFiles

/// A public key of type ed25519.
struct SSHKey: Equatable {
    private static let type = "ssh-ed25519"
    private let bytes: [UInt8]

    /// - Parameter bytes: the 32 bytes of the key alone.
    init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Reads a key with its type, as in a `.pub` file.
    private init?(blob: some Collection<UInt8>) {
        var fields = SSHFields(blob)
        guard fields.text() == SSHKey.type, let bytes = fields.bytes(), fields.isAtEnd else { return nil }
        self.init(bytes: bytes)
    }

    /// Reads the public half at the beginning of a private key that has no passphrase. Does not read the private half,
    /// so this says nothing about the rest of the file.
    init?(ofFile path: String) {
        let start = "-----BEGIN OPENSSH PRIVATE KEY-----\n"
        // 96 bytes, in lines of 70 characters. The private half begins after them.
        guard let file = try? SystemFile.regular(path), let head = try? file.read(upTo: start.utf8.count + 129),
            head.starts(with: start.utf8)
        else { return nil }
        let text = String(decoding: head.dropFirst(start.utf8.count).filter { $0 != 0x0A }, as: UTF8.self)
        guard let blob = Data(base64Encoded: text), blob.starts(with: Array("openssh-key-v1\0".utf8)) else {
            return nil
        }
        var fields = SSHFields(blob.dropFirst(15))
        guard fields.text() == "none", fields.text() == "none", fields.bytes() == [],
            fields.number() == UInt32(1), let key = fields.bytes().flatMap(SSHKey.init(blob:))
        else { return nil }
        self = key
    }

    /// The form in which the server gets it.
    var base64: String {
        let type = Array(SSHKey.type.utf8)
        let blob = [0, 0, 0, UInt8(type.count)] + type + [0, 0, 0, 32] + bytes
        return Data(blob).base64EncodedString()
    }
}

extension SSHFiles {
    /// The key pair of the certificates: the existing one, or a new one if there is none or it is damaged.
    func makeKey() throws(CommandFailure) -> SSHKey {
        // ssh-keygen reads the whole file, also the private half.
        if let present = SSHKey(ofFile: key), try SSHFiles.keygen("-y", "-P", "", "-f", key).status == 0 {
            return present
        }
        DurableFile.removeDrafts(in: directory, of: "id_mpin")
        let draft = "\(directory)/.id_mpin.mpin-new-key"
        let made = try SSHFiles.keygen("-q", "-t", "ed25519", "-N", "", "-C", "mpin", "-f", draft)
        try SSHFiles.remove(draft + ".pub")
        guard made.status == 0, let new = SSHKey(ofFile: draft) else {
            try? SSHFiles.remove(draft)
            let reason = made.errors.split(separator: "\n").last.map(String.init) ?? "exit status \(made.status)"
            throw SSHFiles.unwritten("ssh-keygen cannot create a key in \(directory): \(reason)")
        }
        // A certificate of the former key goes first: ssh reads the key before the certificate.
        try SSHFiles.remove(certificate)
        try SSHFiles.rename(draft, to: key)
        return new
    }

    private static func keygen(_ arguments: String...) throws(CommandFailure) -> ChildProgram {
        do throws(SystemError) {
            return try ChildProgram(["ssh-keygen"] + arguments, environment: AskProgram.environment)
        } catch {
            throw CommandFailure(
                .internalFault, "NO_SSH", "ssh-keygen cannot run: \(error.text).",
                advice: Advice("Install the ssh client: sudo apt install openssh-client"))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Keys and certificates in files, as the ssh programs read them.
enum SSHKeyFile {
    /// A public key of type `ssh-ed25519`, made by ssh-keygen.
    static let sample = "AAAAC3NzaC1lZDI1NTE5AAAAIBMRN1IjBZo/UIkNnqVosUORhknW5MVip32dIb04xTKc"
    /// The first 51 bytes of a public key of another type.
    static let other = "AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBGJUZ+0zbv1qRIHf"

    /// What `ssh-keygen -L` says of the certificates in a text, which it verifies. Throws if it cannot read one.
    static func listing(_ certificates: String) throws -> String {
        let path = NSTemporaryDirectory() + "mpin-certificate-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(certificates.utf8).write(to: URL(fileURLWithPath: path))
        let read = try Program.run(at: "/usr/bin/ssh-keygen", ["-L", "-f", path])
        try #require(read.code == 0, "\(read.errors)")
        return read.output
    }

    /// The lines of a listing without their indentation.
    static func lines(_ certificate: String) throws -> [String] {
        try listing(certificate).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

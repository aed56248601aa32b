// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// A file with a password.
package enum SecretFile {
    /// The first line of a file that only its owner can access.
    package static func line(_ path: String) throws(ServerError) -> String {
        switch FileFacts.of(path) {
        case .success(let facts):
            do throws(ServerError) { try facts.demandPrivate(path) } catch {
                let account = FileFacts.account(geteuid()) ?? "\(geteuid())"
                throw ServerError(
                    error.kind, error.message,
                    hint: "Only the account of the server may have access. Run: sudo chown \(account): \(path)\n"
                        + "Then run: sudo chmod 0600 \(path)")
            }
        case .failure(let error): throw error.fault(path, hint: "")
        }
        guard let text = String(validating: try RegularFile.read(path), as: UTF8.self) else {
            throw ServerError(.configuration, "cannot read \(path)")
        }
        return String(text.prefix { !$0.isNewline })
    }
}

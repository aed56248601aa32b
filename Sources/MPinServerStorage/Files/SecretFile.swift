// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// A file with a password.
package enum SecretFile {
    /// The first line of a file that only its owner can access.
    package static func line(_ path: String) throws(ServerError) -> String {
        switch FileFacts.of(path) {
        case .success(let facts): try facts.demandPrivate(path)
        case .failure(let error): throw error.fault(path, hint: "")
        }
        guard let text = String(validating: try RegularFile.read(path), as: UTF8.self) else {
            throw ServerError(.configuration, "cannot read \(path)")
        }
        return String(text.prefix { !$0.isNewline })
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerStorage
internal import SystemFiles

/// The sealing key as a credential that systemd decrypts for the unit, instead of a file in the directory.
///
/// systemd seals it to this host, or to its TPM, so that a copy of the disk does not contain it. See systemd-creds(1).
enum KeyCredential {
    /// The encrypted key, where the unit expects it.
    static let encrypted = "/etc/credstore.encrypted/mpin-server.seal.key"

    /// Whether the key may be there, as far as the caller can see.
    static var mayBeKept: Bool {
        switch FileFacts.of(encrypted) {
        case .success: true
        case .failure(let error): error.number == EACCES
        }
    }

    /// The decrypted key; nil if the process got none.
    static var path: String? {
        guard let directory = unsafe getenv("CREDENTIALS_DIRECTORY") else { return nil }
        let path = unsafe "\(String(cString: directory))/seal.key"
        return FileFacts.isThere(path) ? path : nil
    }

    /// Whether a directory without a key file uses a credential.
    static func isExpected(in directory: ServerDirectory) -> Bool {
        path != nil || directory.path == ServerDirectory.installed && mayBeKept
    }

    /// The error of a process that needs the key and got none.
    static var notGiven: ServerError {
        ServerError(
            .notPermitted, "this server's key is the credential \(encrypted), which only systemd can open",
            hint: """
                Run the command through systemd: sudo systemd-run --quiet --pipe --wait --uid=mpin \
                --property=LoadCredentialEncrypted=seal.key:mpin-server.seal.key mpin-server COMMAND
                """)
    }

    /// The error of a command that changes or copies the key.
    static var notAFile: ServerError {
        ServerError(
            .notPermitted, "this server's key is a credential, which only systemd can change",
            hint: """
                First write the key to a file: sudo systemd-creds decrypt --name=seal.key \(encrypted) \
                | sudo install -o mpin -g mpin -m 0600 /dev/stdin \(ServerDirectory.installed)/seal.key
                """)
    }
}

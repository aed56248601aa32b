internal import Glibc
internal import MPinServerStorage

/// The sealing key as a credential that systemd decrypts for the unit, in place of the file in the directory.
///
/// systemd seals it to this host, or to its TPM, so that a copy of the disk does not hold it. See systemd-creds(1).
enum KeyCredential {
    /// Where the unit looks for the encrypted one.
    static let encrypted = "/etc/credstore.encrypted/mpin-server.seal.key"

    /// Whether that is where the key is, as far as the caller may look.
    static var mayBeKept: Bool {
        switch FileFacts.of(encrypted) {
        case .success: true
        case .failure(let error): error.number == EACCES
        }
    }

    /// The decrypted one; nil for a process that was given none.
    static var path: String? {
        guard let directory = unsafe getenv("CREDENTIALS_DIRECTORY") else { return nil }
        let path = unsafe "\(String(cString: directory))/seal.key"
        return FileFacts.isThere(path) ? path : nil
    }

    /// Whether the key of a directory without a file of it is a credential.
    static func isExpected(in directory: ServerDirectory) -> Bool {
        path != nil || directory.path == ServerDirectory.installed && mayBeKept
    }

    /// The fault of a process that needs the key and was given none.
    static var notGiven: ServerError {
        ServerError(
            .notPermitted, "this server's key is the credential \(encrypted), which only systemd can open",
            hint: """
                Run the command through systemd: sudo systemd-run --quiet --pipe --wait --uid=mpin \
                --property=LoadCredentialEncrypted=seal.key:mpin-server.seal.key mpin-server COMMAND
                """)
    }

    /// The fault of a command that changes or copies the key.
    static var notAFile: ServerError {
        ServerError(
            .notPermitted, "this server's key is a credential, which only systemd can change",
            hint: """
                Make a file of it first: sudo systemd-creds decrypt --name=seal.key \(encrypted) \
                | sudo install -o mpin -g mpin -m 0600 /dev/stdin \(ServerDirectory.installed)/seal.key
                """)
    }
}

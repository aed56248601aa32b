// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import MPinCrypto
internal import ShellSyntax
package import SystemFiles

extension ServerError {
    /// - Parameter hint: the hint if the file does not exist.
    package init(_ error: FileError, hint: String = "") {
        let (path, text) = (error.path, error.cause.text)
        switch error.step {
        case .open: self = error.cause.fault(path, hint: hint)
        case .kind: self.init(.configuration, "\(path) is not a regular file")
        case .read: self.init(.storage, "cannot read \(path): \(text)")
        case .create:
            self.init(
                error.cause.number == EACCES ? .notPermitted : .cannotCreate, "cannot create \(path): \(text)",
                hint: "Nothing was changed.")
        case .write where [ENOSPC, EDQUOT].contains(error.cause.number): self = .diskFull(path)
        case .write: self.init(.storage, "cannot write \(path): \(text)", hint: "Nothing was changed.")
        case .confirm: self.init(.storage, "cannot write \(path): \(text)")
        }
    }

    /// The error of a write for which the disk has no room.
    static func diskFull(_ path: String) -> ServerError {
        ServerError(
            .storage, "cannot write \(path): the disk is full",
            hint: "Nothing was changed. Free some space.\nCheck: "
                + "df -h \(ShellWord.operand(FileName.parent(of: path)))")
    }

    package static func secretBytes(_ capacity: Int) throws(ServerError) -> SecretBytes {
        do throws(CryptoError) { return try SecretBytes(capacity: capacity) } catch {
            throw ServerError(.internalFault, "cannot allocate memory for a secret")
        }
    }

    /// Does work with files, and turns its error into one of the server.
    package static func ofFiles<Result: ~Copyable>(
        hint: String = "", _ work: () throws(FileError) -> Result
    ) throws(ServerError) -> Result {
        do throws(FileError) { return try work() } catch { throw ServerError(error, hint: hint) }
    }
}

extension SystemError {
    /// The error for something that cannot be found or opened.
    package func fault(_ what: String, hint: String) -> ServerError {
        switch number {
        case ENOENT, ENOTDIR: ServerError(.configuration, "\(what) does not exist", hint: hint)
        case EACCES, EPERM:
            ServerError(
                .notPermitted, "\(what) cannot be read: \(text)", hint: "Run the command as a user who can read it.")
        default: ServerError(.storage, "\(what) cannot be read: \(text)")
        }
    }
}

extension CryptoError: CustomStringConvertible {
    /// The reason, for the end of a sentence.
    package var description: String {
        switch self {
        case .libraryUnavailable where CryptoError.isLibraryRestricted:
            "no provider of OpenSSL meets the default properties in openssl.cnf"
        case .libraryUnavailable: "libcrypto.so.3 cannot be loaded: the package libssl3 is missing or too old"
        case .randomUnavailable: "the system provides no random numbers"
        case .memoryUnavailable: "there is not enough memory for secrets"
        case .invalidSeal: "the sealed value was changed, or sealed with another key"
        case .invalidPIN: "the PIN has an invalid form"
        case .invalidPoint, .invalidScalar, .infinity, .invalidDate, .invalidMessage: "a value is invalid"
        }
    }
}

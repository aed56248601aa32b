// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
package import MPinWire

/// The reason why a store cannot be used. Applications get an ``MPinError`` for it.
package enum StoreError: Error, Sendable {
    /// The directories exist and are safe, but contain nothing for this account; or the store is empty.
    case notEnrolled
    /// There is no store directory.
    case noStore
    /// This process may not read the store.
    case notPermitted
    /// Another user could have changed a file or directory, or it has the wrong type.
    indirect case unsafe(StaticString)
    /// A record that cannot be read.
    indirect case damaged(StaticString)
    /// The account's file is of another version of this library.
    case otherVersion
    /// A system call failed, with its errno.
    indirect case failed(Int32)
    /// A name that cannot be a file name.
    case badAccountName
    /// Another program holds a lock of the account, and did not release it before the deadline.
    case busy
    /// There is not enough memory for secrets.
    case noMemory
    /// The account's file has no room for another registration.
    case full
    #if !hasFeature(Embedded)
    /// A store of the application's own has failed.
    indirect case own(MPinError)
    #endif

    /// Converts a negative result of the C file functions to an error.
    package init(code: Int32) {
        switch Int(code) {
        case Int(MPIN_UNSAFE_OWNER): self = .unsafe("belongs to another user")
        case Int(MPIN_UNSAFE_MODE): self = .unsafe("is open to other users")
        case Int(MPIN_UNSAFE_KIND): self = .unsafe("is not a regular file")
        case Int(MPIN_UNSAFE_LINKS): self = .unsafe("has a second hard link")
        case Int(MPIN_UNSAFE_SIZE): self = .unsafe("is too large")
        case Int(MPIN_UNSAFE_PATH): self = .unsafe("is on a path with a symbolic link or a missing directory")
        case Int(MPIN_UNSAFE_PARENT): self = .unsafe("is in a directory that other users can change")
        case -Int(MPIN_EACCES), -Int(MPIN_EPERM): self = .notPermitted
        case -Int(MPIN_ETIMEDOUT): self = .busy
        default: self = .failed(-code)
        }
    }

    /// One sentence for users and logs.
    package var text: ByteText {
        switch self {
        case .notEnrolled: "This account is not enrolled."
        case .noStore: "There is no M-Pin store on this machine."
        case .notPermitted: "This user may not read the M-Pin store."
        case .unsafe(let reason): "A file or directory of the M-Pin store " + ByteText(reason) + "."
        case .damaged(let reason): "The M-Pin store cannot be used: " + ByteText(reason) + "."
        case .otherVersion: "The M-Pin store has a file of another version of pam-mpin."
        case .failed(let errno): StoreError.failure(Int(errno))
        case .badAccountName: "This account name is not valid."
        case .busy: "Another program is changing this registration: try again in a moment."
        case .noMemory: "There is not enough memory for secrets."
        case .full: "This account's file has no room for another registration."
        #if !hasFeature(Embedded)
        case .own(let error): error.prefix + error.sentence.text
        #endif
        }
    }

    private static func failure(_ errno: Int) -> ByteText {
        var text: ByteText = "The M-Pin store cannot be used (error "
        text.append(decimal: errno)
        return text + ")."
    }
}

extension StoreError {
    /// One sentence for users and logs.
    package var message: String { text.string }
}

extension MPinError {
    init(_ error: StoreError) {
        switch error {
        case .notEnrolled: self.init(.flowError, "This account is not enrolled.", cause: .missingStore)
        case .noStore:
            self.init(.storageError, "There is no M-Pin store on this machine.", cause: .missingStore)
        case .notPermitted:
            self.init(.storageError, "This user may not change the M-Pin store.", cause: .closedStore)
        case .unsafe:
            self.init(.storageError, "A file or directory of the M-Pin store is unsafe.", cause: .unsafeStore)
        case .damaged: self.init(.storageError, "The M-Pin store is damaged.")
        case .otherVersion: self.init(.storageError, "The M-Pin store has a file of another version of pam-mpin.")
        case .failed(let errno): self.init(ofStore: errno)
        case .badAccountName: self.init(.storageError, "This account name is not valid.")
        case .busy:
            self.init(
                .storageError, "Another program is changing this registration: try again in a moment.",
                cause: .busyStore)
        case .noMemory: self.init(.cryptoError, "There is not enough memory for secrets.", cause: .caller)
        case .full:
            self.init(.storageError, "This account's file has no room for another registration.", cause: .fullRecords)
        #if !hasFeature(Embedded)
        case .own(let error): self = error
        #endif
        }
    }

    /// Converts an error of a client's store.
    init(_ error: StoreError, in store: AccountStore) {
        #if hasFeature(Embedded)
        self.init(error)
        #else
        self.init(error, at: UnsafePlace(store))
        #endif
    }

    /// Converts the errno of a system call on the store to an error of the SDK.
    init(ofStore errno: Int32) {
        let (sentence, cause): (Constant, Cause) =
            switch Int(errno) {
            case Int(MPIN_ENOSPC), Int(MPIN_EDQUOT):
                ("The disk of the M-Pin store is full or over quota. Nothing was changed on this machine.", .fullDisk)
            case Int(MPIN_EROFS):
                ("The disk of the M-Pin store is read-only. Nothing was changed on this machine.", .readOnlyDisk)
            case Int(MPIN_EMFILE), Int(MPIN_ENFILE):
                ("The M-Pin store cannot be used: too many files are open.", .fewFiles)
            case -Int(MPIN_UNCONFIRMED):
                (
                    "The M-Pin store was changed, but the disk did not confirm it. A power failure may undo the change.",
                    .unconfirmedWrite
                )
            default: ("The M-Pin store cannot be used.", .server)
            }
        self.init(.storageError, sentence, cause: cause)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinWire

extension MPinError {
    /// Converts an error of the store to an error of the SDK.
    init(_ error: StoreError) {
        switch error {
        case .notEnrolled: self.init(.flowError, "This account is not enrolled.")
        case .noStore: self.init(.storageError, "There is no M-Pin store on this machine.")
        case .notPermitted: self.init(.storageError, "This user may not change the M-Pin store.")
        case .unsafe: self.init(.storageError, "A file or directory of the M-Pin store is unsafe.")
        case .damaged: self.init(.storageError, "The M-Pin store is damaged.")
        case .otherVersion: self.init(.storageError, "The M-Pin store has a file of another version of pam-mpin.")
        case .failed(let errno): self.init(ofStore: errno)
        case .badAccountName: self.init(.storageError, "This account name is not valid.")
        case .busy:
            self.init(
                .storageError, "Another program is changing this registration: try again in a moment.", cause: .caller)
        case .noMemory: self.init(.cryptoError, "There is not enough memory for secrets.", cause: .caller)
        case .full:
            self.init(.storageError, "This account's file has no room for another registration.", cause: .fullRecords)
        }
    }

    /// Converts the errno of a system call on the store to an error of the SDK.
    init(ofStore errno: Int32) {
        switch Int(errno) {
        case Int(MPIN_ENOSPC), Int(MPIN_EDQUOT):
            self.init(
                .storageError,
                "The disk of the M-Pin store is full or over quota. Nothing was changed on this machine.",
                cause: .fullDisk)
            return
        case Int(MPIN_EROFS):
            self.init(
                .storageError, "The disk of the M-Pin store is read-only. Nothing was changed on this machine.",
                cause: .readOnlyDisk)
            return
        case Int(MPIN_EMFILE), Int(MPIN_ENFILE):
            self.init(.storageError, "The M-Pin store cannot be used: too many files are open.", cause: .fewFiles)
            return
        case -Int(MPIN_UNCONFIRMED):
            self.init(
                .storageError,
                "The M-Pin store was changed, but the disk did not confirm it. A power failure may undo the change.",
                cause: .unconfirmedWrite)
            return
        default: break
        }
        self.init(.storageError, "The M-Pin store cannot be used.")
    }
}

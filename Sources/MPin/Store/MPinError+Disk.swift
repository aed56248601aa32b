// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinWire

extension MPinError {
    /// Converts the errno of a system call on the store to an error of the SDK.
    init(ofStore errno: Int32) {
        // The Embedded module writes nothing but new PINs, and has to be small.
        #if !hasFeature(Embedded)
        switch Int(errno) {
        case Int(MPIN_ENOSPC), Int(MPIN_EDQUOT):
            self.init(
                .storageError,
                "The disk of the M-Pin store is full or over quota. Nothing was changed on this machine.",
                cause: .fullDisk)
            return
        case Int(MPIN_EROFS):
            self.init(
                .storageError,
                "The disk of the M-Pin store is read-only. Nothing was changed on this machine.",
                cause: .readOnlyDisk)
            return
        case Int(MPIN_EMFILE), Int(MPIN_ENFILE):
            self.init(
                .storageError, "The M-Pin store cannot be used: too many files are open.", cause: .fewFiles)
            return
        case -Int(MPIN_UNCONFIRMED):
            self.init(
                .storageError,
                "The M-Pin store was changed, but the disk did not confirm it. A power failure may undo the change.",
                cause: .unconfirmedWrite)
            return
        default: break
        }
        #endif
        self.init(.storageError, "The M-Pin store cannot be used.")
    }
}

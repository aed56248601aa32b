internal import CMPinSystem
internal import MPinWire

// Failures of the disk below the store that people can do something about.
extension MPinError {
    static var fullDisk: Constant {
        "The disk of the M-Pin store is full, or its quota is used up. What is stored here is as it was."
    }

    static var readOnlyDisk: Constant {
        "The disk of the M-Pin store cannot be written to, only read. What is stored here is as it was."
    }

    /// The sentence for a system call that failed at the store.
    static func sentence(ofFailure errno: Int32) -> Constant {
        // The module without a runtime writes nothing but new PINs, and has to be small.
        #if !hasFeature(Embedded)
        switch Int(errno) {
        case Int(MPIN_ENOSPC), Int(MPIN_EDQUOT): return fullDisk
        case Int(MPIN_EROFS): return readOnlyDisk
        default: break
        }
        #endif
        return "The M-Pin store cannot be used."
    }
}

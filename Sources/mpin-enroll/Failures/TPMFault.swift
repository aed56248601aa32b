import Glibc
import MPin

/// Why the TPM of this machine cannot be used, and what mends that.
struct TPMFault {
    let sentence: String
    let advice: Advice

    /// - Returns: nil for a failure of something else, and for a key that the TPM does not hold.
    init?(_ error: MPinError) {
        switch error.cause {
        case .absentTPM:
            self.init(
                error.message,
                "Look for it (ls -l /dev/tpm*), and in the firmware's settings, which can switch it off; the configuration "
                    + "names another as 'tpm_device = ...'")
        case .closedTPM:
            let look = Advice("Look at the owner and mode of its device: ls -l /dev/tpm*")
            self.init(error.message, geteuid() == 0 ? look : .useSudo)
        case .silentTPM:
            self.init(error.message, "Try again; a machine that is switched off and on starts its TPM anew")
        case .noTPMLibrary: self.init(library: MPinClient.tpmLibraryFault)
        case .failedTPM:
            self.init(error.message, "What the kernel says of it: sudo dmesg | grep -i tpm")
        default: return nil
        }
    }

    private init(_ sentence: String, _ advice: Advice) { (self.sentence, self.advice) = (sentence, advice) }

    private init(_ sentence: String, _ advice: String) { self.init(sentence, Advice(advice)) }

    /// - Parameter reason: what the dynamic linker says.
    private init(library reason: String?) {
        let package = "libtss2-esys-3.0.2-0", file = "libtss2-esys.so.0"
        // Whether this process or the machine has none left, the text is the same at its beginning.
        let shortage = unsafe String(cString: strerror(EMFILE))
        guard reason?.contains(shortage) != true else {
            self.init("The TPM cannot be used: too few files may be open here.", CommandFailure.allowFiles)
            return
        }
        guard let reason, !reason.hasPrefix("\(file): cannot open shared object file: No such file") else {
            self.init(
                "The TPM cannot be used: libtss2-esys is not installed.",
                "Install it, on Debian with: sudo apt-get install \(package)")
            return
        }
        self.init(
            "The TPM cannot be used: libtss2-esys is there, and cannot be loaded: \(reason).",
            "Install it anew, and what it needs, on Debian with: sudo apt-get install --reinstall \(package)")
    }
}

// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPin

/// The reason why the TPM of this machine cannot be used, and the hint.
struct TPMFault {
    let sentence: String
    let advice: Advice

    /// - Returns: nil for a failure that is not about the TPM, and for a key that is not in the TPM.
    init?(_ error: MPinError) {
        switch error.cause {
        case .absentTPM:
            self.init(
                error.message,
                "Check the firmware's settings, or set another TPM as 'tpm_device = ...' in the configuration. List "
                    + "the devices: ls -l /dev/tpm*")
        case .closedTPM:
            let look = Advice("Check the owner and mode of its device: ls -l /dev/tpm*")
            self.init(error.message, geteuid() == 0 ? look : .useSudo)
        case .silentTPM:
            self.init(
                error.message, "Try again. If it still fails, switch the machine off and on: this restarts its TPM")
        case .noTPMLibrary: self.init(library: MPinClient.tpmLibraryFault)
        case .failedTPM: self.init(error.message, "Check the kernel log: sudo dmesg | grep -i tpm")
        default: return nil
        }
    }

    private init(_ sentence: String, _ advice: Advice) { (self.sentence, self.advice) = (sentence, advice) }

    private init(_ sentence: String, _ advice: String) { self.init(sentence, Advice(advice)) }

    /// - Parameter reason: the message of the dynamic linker.
    private init(library reason: String?) {
        let package = "libtss2-esys-3.0.2-0", file = "libtss2-esys.so.0"
        guard let reason, !reason.hasPrefix("\(file): cannot open shared object file: No such file") else {
            self.init(
                "The TPM cannot be used: libtss2-esys is not installed.",
                "Install it (on Debian): sudo apt-get install \(package)")
            return
        }
        self.init(
            "The TPM cannot be used: libtss2-esys is installed but cannot be loaded: \(reason).",
            "Reinstall it and its dependencies (on Debian): sudo apt-get install --reinstall \(package)")
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import CTPM
internal import Glibc
internal import MPinServerStorage
internal import ShellSyntax
internal import SystemFiles

extension SealingTPM {
    /// The error for a failure of the TPM. None of the failures loses anything.
    func fault(
        _ outcome: mpin_tpm_outcome, response: UInt32, error: Int32, about key: (path: String, identifier: String)?
    ) -> ServerError {
        let code = response == 0 ? "" : " (0x\(String(response, radix: 16)))"
        switch outcome {
        case MPIN_TPM_NO_LIBRARY:
            return ServerError(
                .tpmMissing, "cannot use the TPM: libtss2-esys is not installed",
                hint: "Run: sudo apt-get install libtss2-esys-3.0.2-0")
        case MPIN_TPM_ABSENT:
            return ServerError(
                .tpmMissing, "there is no TPM at \(device)" + Self.kept(key),
                hint: key == nil
                    ? "If this machine has a TPM, set its path in server.conf: tpm_device = device:PATH\n"
                        + "Or use no TPM: --seal file" : "", next: key == nil ? nil : Self.recoveryToFile)
        case MPIN_TPM_NOT_PERMITTED: return notPermitted
        case MPIN_TPM_UNKNOWN_KEY:
            let path = key?.path ?? "the file"
            return ServerError(
                .tpmCleared,
                "the TPM of this machine does not open \(path): it was cleared, this is another machine, or the "
                    + "file was altered" + Self.kept(key), next: Self.recovery)
        case MPIN_TPM_NO_ANSWER:
            return ServerError(
                .tpmSilent, "the TPM at \(device) does not answer",
                hint: "Nothing is lost. Try again. Switching the machine off and on resets its TPM.")
        case MPIN_TPM_BUSY:
            return ServerError(
                .tpmSilent, "the TPM at \(device) is busy, or accepts no commands now\(code)",
                hint: "Nothing is lost. Try again in a few minutes.")
        case MPIN_TPM_MALFORMED:
            return ServerError(
                .configuration, "\(key?.path ?? device) is damaged" + Self.kept(key), next: Self.recovery)
        default:
            let reason = error == 0 ? code : ": " + SystemError(error).text
            return ServerError(
                .internalFault, "the TPM at \(device) failed\(reason)",
                hint: response == 0 ? "" : "See: tpm2_rc_decode 0x\(String(response, radix: 16))")
        }
    }

    /// The command that seals the key to the TPM of this machine again.
    private static let recovery = "reseal --recovery-key-file -"
    /// The command that works without a TPM.
    private static let recoveryToFile = recovery + " --seal file"

    private static func kept(_ key: (path: String, identifier: String)?) -> String {
        key.map { ". Nothing is lost: the recovery key \($0.identifier) opens the database" } ?? ""
    }

    private var notPermitted: ServerError {
        let path = String(device.drop { $0 != "/" })
        let account = FileFacts.account(geteuid()) ?? String(geteuid())
        var group: String?
        if let facts = FileFacts(target: path), facts.group != 0, let entry = unsafe getgrgid(facts.group) {
            group = unsafe String(cString: entry.pointee.gr_name)
        }
        return ServerError(
            .notPermitted, "the account '\(account)' cannot open the TPM at \(device)",
            hint: group.map {
                "Add it to the group of the device: sudo usermod --append --groups \(ShellWord.quoted($0)) "
                    + "\(ShellWord.quoted(account))\nFor the systemd unit, run: sudo mpin-server setup --seal tpm"
            } ?? "Let the account read and write \(path).")
    }
}

// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPin
import MPinConfiguration

/// Checks the TPM, if it has keys of enrollments or is to have them.
struct TPMExamination {
    private(set) var findings: [Finding] = []

    init(_ configuration: Configuration, _ enrollments: EnrollmentExamination) {
        let keys = enrollments.keysInTPM
        let isWanted = configuration.transport.newKey != .file
        guard isWanted || !keys.isEmpty else { return }
        do throws(MPinError) { try MPinClient.testTPM(configuration.transport) } catch {
            findings = [TPMExamination.finding(error, isNeeded: !keys.isEmpty)]
            return
        }
        findings = [Finding("tpm", .ok, "The TPM creates keys and signs.")]
        for key in keys {
            do throws(MPinError) {
                try MPinClient.testTPMKey(of: key.registration, configuration.transport)
                findings.append(Finding("tpm", .ok, "The TPM has the device key of \(key.name)."))
            } catch { findings.append(TPMExamination.finding(error, of: key.name, key.subject)) }
        }
    }

    /// - Parameter isNeeded: whether the TPM has the key of an enrollment.
    private static func finding(_ error: MPinError, isNeeded: Bool) -> Finding {
        let fault = TPMFault(error)
        let isHidden = error.cause == .closedTPM && geteuid() != 0
        let effect =
            isNeeded
            ? "Users whose device key is in the TPM cannot log in."
            : "New enrollments keep their device keys in files ('tpm = auto')."
        return Finding(
            "tpm", isHidden ? .unknown : isNeeded ? .fault : .warning,
            (fault?.sentence ?? error.message) + (isHidden ? "" : " " + effect), advice: fault?.advice)
    }

    private static func finding(_ error: MPinError, of name: String, _ subject: Advice.Subject) -> Finding {
        guard error.cause == .lostKey else {
            return Finding(
                "tpm", .fault, "The TPM cannot use the device key of \(name): \(error.message)",
                advice: TPMFault(error)?.advice ?? CommandFailure.tryAgain)
        }
        return Finding(
            "tpm", .fault, "The TPM does not have the device key of \(name): it was cleared or replaced.",
            advice: Advice(CommandFailure.recoverExpired.words, "recover", of: subject))
    }
}

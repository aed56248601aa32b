// SPDX-License-Identifier: Apache-2.0
import Glibc
import MPinConfiguration
import SystemFiles

/// Checks the configuration file: whether it is readable, safe and valid.
struct ConfigurationExamination {
    let findings: [Finding]

    init(_ options: CommonOptions) {
        let path = options.configurationPath
        let faults = ConfigurationErrors(options)
        let remarks = faults.remarks.map {
            Finding("configuration", .fault, "\($0).", advice: Advice("Correct that line. See: man mpin.conf"))
        }
        guard faults.messages.isEmpty else {
            findings =
                (faults.ofFile.map { [ConfigurationExamination.ofFile($0.message + ".", path)] } ?? [])
                + faults.ofLines.map {
                    Finding(
                        "configuration", .fault, "\($0). M-Pin refuses every login until this is fixed.",
                        advice: Advice("See: man mpin.conf"))
                } + remarks
            return
        }
        do throws(CommandFailure) {
            _ = try options.configuration()
            let isThere = FileFacts.isThere(path)
            findings =
                !remarks.isEmpty
                ? remarks
                : [
                    Finding(
                        "configuration", .ok,
                        isThere ? "\(path) has no errors." : "There is no \(path), so the defaults apply.")
                ]
        } catch { findings = [ConfigurationExamination.finding(error, path)] }
    }

    private static func finding(_ failure: CommandFailure, _ path: String) -> Finding {
        if geteuid() != 0, SystemFile.load(path) == nil, FileFacts.isThere(path) {
            return Finding("configuration", .unknown, failure.message, advice: Advice.useSudo)
        }
        return ofFile(failure.message, path, failure.advice)
    }

    private static func ofFile(_ message: String, _ path: String, _ advice: Advice? = nil) -> Finding {
        let repair = ConfigurationError.repair(of: path)
        let mode = FileFacts(of: path).flatMap { facts in
            facts.isFile && facts.isWritableByOthers ? ModeRepair(path: path, mode: facts.mode & 0o7755) : nil
        }
        return Finding("configuration", .fault, message, advice: repair ?? advice, repair: mode)
    }
}

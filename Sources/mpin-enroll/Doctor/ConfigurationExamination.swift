// SPDX-License-Identifier: Apache-2.0
import Glibc
import MPinConfiguration

/// Checks the configuration file: whether it is readable, safe and valid.
struct ConfigurationExamination {
    let findings: [Finding]

    init(_ options: CommonOptions) {
        let path = options.configurationPath
        let faults = ConfigurationFaults(options)
        let remarks = faults.remarks.map {
            Finding(
                "configuration", .fault, "\($0).",
                advice: Advice("Correct that line. See: man mpin.conf"))
        }
        guard faults.messages.isEmpty else {
            findings =
                faults.messages.map { message in
                    message == faults.ofFile?.message
                        ? ConfigurationExamination.ofFile(message + ".", path)
                        : Finding(
                            "configuration", .fault,
                            "\(message). M-Pin refuses every login until this is fixed.",
                            advice: Advice("See: man mpin.conf"))
                } + remarks
            return
        }
        do throws(CommandFailure) {
            _ = try options.configuration()
            let isThere = MachineFile.status(path) != nil
            findings =
                !remarks.isEmpty
                ? remarks
                : [
                    Finding(
                        "configuration", .ok,
                        isThere ? "\(path) has no errors." : "There is no \(path), so the defaults apply.")
                ]
        } catch {
            findings = [ConfigurationExamination.finding(error, path)]
        }
    }

    private static func finding(_ failure: CommandFailure, _ path: String) -> Finding {
        if geteuid() != 0, MachineFile.load(path) == nil, MachineFile.status(path) != nil {
            return Finding("configuration", .unknown, failure.message, advice: Advice.useSudo)
        }
        return ofFile(failure.message, path, failure.advice)
    }

    private static func ofFile(_ message: String, _ path: String, _ advice: Advice? = nil) -> Finding {
        let repair = ConfigurationFault.repair(of: path)
        let status = MachineFile.status(path)
        let mode = status.flatMap { status in
            status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o022 != 0
                ? ModeRepair(path: path, mode: status.st_mode & 0o7777 & ~0o022) : nil
        }
        return Finding("configuration", .fault, message, advice: repair ?? advice, repair: mode)
    }
}

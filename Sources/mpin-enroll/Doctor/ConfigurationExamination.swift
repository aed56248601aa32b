// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPinConfiguration
import SystemFiles

/// Checks the configuration file: whether it is readable, safe and valid.
struct ConfigurationExamination {
    let findings: [Finding]

    init(_ options: CommonOptions) {
        let path = options.configurationPath
        let faults = ConfigurationErrors(options)
        guard faults.messages.isEmpty else {
            findings =
                (faults.ofFile.map { [ConfigurationExamination.ofFile($0.message + ".", path)] } ?? [])
                + faults.ofLines.map {
                    Finding(
                        "configuration", .fault, "\($0). Until this is fixed, no login takes the PIN.",
                        advice: Advice("See: man mpin.conf"))
                }
            return
        }
        do throws(CommandFailure) {
            _ = try options.configuration()
            let isThere = FileFacts.isThere(path)
            findings = [
                ConfigurationExamination.closed(path)
                    ?? Finding(
                        "configuration", .ok,
                        isThere ? "\(path) has no errors." : "There is no \(path), so the defaults apply.")
            ]
        } catch { findings = [ConfigurationExamination.finding(error, path)] }
    }

    /// The file, or a directory above it, that only some users may read. Programs that run as their user read the file
    /// before they can use the agent.
    private static func closed(_ path: String) -> Finding? {
        guard path == Configuration.standardFile, geteuid() == 0, let facts = FileFacts(target: path), facts.isFile
        else {
            return nil
        }
        var places = [(path: path, bits: UInt32(0o004), mode: "a+r")], directory = FileName.parent(of: path)
        while directory != "/" {
            places.append((directory, 0o001, "a+x"))
            directory = FileName.parent(of: directory)
        }
        let closed = places.first { place in FileFacts(target: place.path).map { $0.mode & place.bits == 0 } ?? false }
        guard let closed else { return nil }
        return Finding(
            "configuration", .warning,
            "Users other than root may not read \(path). Screen lockers, which run as their user, therefore ask for the "
                + "password, and mpin-enroll needs sudo.",
            advice: Advice("Allow it: sudo chmod \(closed.mode) \(CommonOptions.quoted(closed.path))"))
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

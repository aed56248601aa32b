import Glibc
import MPinConfiguration

/// The configuration's file: whether it can be read, is safe, and says what is understood.
struct ConfigurationExamination {
    let findings: [Finding]

    init(_ options: CommonOptions) {
        let path = options.configurationPath
        let written = ConfigurationFaults(options).messages
        guard written.isEmpty else {
            findings = written.map {
                Finding(
                    "configuration", .fault, "\($0). Until it is put right, every login with M-Pin is refused.",
                    advice: Advice("What may stand there says: man mpin.conf"))
            }
            return
        }
        do throws(CommandFailure) {
            _ = try options.configuration()
            let isThere = MachineFile.status(path) != nil
            findings = [
                Finding(
                    "configuration", .ok, isThere ? "\(path) is in order." : "There is no \(path); the defaults hold.")
            ]
        } catch {
            findings = [ConfigurationExamination.finding(error, path)]
        }
    }

    private static func finding(_ failure: CommandFailure, _ path: String) -> Finding {
        if geteuid() != 0, MachineFile.load(path) == nil, MachineFile.status(path) != nil {
            return Finding("configuration", .unknown, failure.message, advice: Advice.useSudo)
        }
        guard let status = MachineFile.status(path), status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o022 != 0
        else { return Finding("configuration", .fault, failure.message, advice: failure.advice) }
        return Finding(
            "configuration", .fault, failure.message,
            advice: Advice("Put it right: chmod go-w \(CommonOptions.quoted(path))"),
            repair: ModeRepair(path: path, mode: status.st_mode & 0o7777 & ~0o022))
    }
}

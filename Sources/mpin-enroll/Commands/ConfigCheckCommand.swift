import ArgumentParser
import MPinConfiguration

/// `config check`: everything that is wrong with the configuration.
struct ConfigCheckCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Say everything that is wrong with the configuration.")

    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> CommandOutcome {
        let faults = ConfigurationFaults(common)
        guard faults.messages.isEmpty else {
            let count = faults.messages.count
            throw CommandFailure(
                .configuration, "CONFIGURATION",
                "\(common.configurationPath) has \(count == 1 ? "a fault" : "\(count) faults"); until "
                    + "\(count == 1 ? "it is" : "they are") put right, every login with M-Pin is refused.",
                advice: Advice("What may stand there says: man mpin.conf")
            ).detailing(faults.messages)
        }
        // What is left is what only a whole reading finds: the file of certificates, and what contradicts each other.
        let configuration = try common.configuration()
        return CommandOutcome(
            report: Report(
                [
                    faults.isFileThere
                        ? "\(configuration.file) is in order."
                        : "There is no \(configuration.file); the defaults hold, which is in order."
                ],
                ["file": .text(configuration.file)]))
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPinConfiguration

struct ConfigCheckCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Show every problem in the configuration.")

    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
        let faults = ConfigurationErrors(common)
        guard faults.messages.isEmpty else { throw failure(faults) }
        // Loading everything finds the rest: an unreadable CA file, and options that contradict each other.
        let configuration = try common.configuration()
        return Report(
            [
                faults.isFileThere
                    ? "\(configuration.file) is valid." : "There is no \(configuration.file). The defaults apply."
            ], ["file": configuration.file])
    }

    private func failure(_ faults: ConfigurationErrors) -> CommandFailure {
        let path = common.configurationPath, all = faults.messages, isOne = all.count == 1
        let columns = common.display(STDERR_FILENO).columns
        let manual = Advice("See: man mpin.conf")
        // The file's mode may be the only problem, and one command fixes it.
        let repair = faults.ofFile.flatMap { _ in ConfigurationError.repair(of: path) }
        let advice = repair.map { isOne ? $0 : $0.adding(manual) } ?? manual
        return CommandFailure(
            .configuration, "CONFIGURATION",
            "\(path) has \(isOne ? "a problem" : "\(all.count) problems"). Until \(isOne ? "it is" : "they are") fixed, "
                + "every login with M-Pin is refused.",
            advice: advice, details: common.json ? all : all.flatMap { Display.wrapped($0, columns: columns) })
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage

/// Checks the configuration.
struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Check the configuration.", subcommands: [Check.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Report every error in server.conf and server.conf.d.",
            discussion: "Example: sudo mpin-server config check")

        @OptionGroup(title: HelpText.common) var options: Options

        func run() throws {
            let faults = try options.serverDirectory.configurationFaults(file: options.config)
            guard let first = faults.first else { return options.output.succeed("The configuration is valid.", [:]) }
            let others = faults.dropFirst().map(\.message)
            throw ServerError(.configuration, ([first.message] + others).joined(separator: "\n"), hint: first.hint)
        }
    }
}

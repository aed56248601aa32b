// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Check the configuration.", subcommands: [Check.self])

    struct Check: DirectoryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Report every error in server.conf and server.conf.d.",
            discussion: "Example: sudo mpin-server config check")

        @OptionGroup var options: Options

        func run() throws {
            let faults = try options.serverDirectory.configurationFaults(file: options.config)
            guard let first = faults.first else {
                return try options.output.succeed("The configuration is valid.", [:])
            }
            throw CommandFailure(
                .configuration, first.kind.rawValue, first.message,
                advice: first.hint.isEmpty ? nil : Advice(first.hint), details: faults.dropFirst().map(\.message))
        }
    }
}

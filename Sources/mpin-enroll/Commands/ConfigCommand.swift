// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `config`: shows and checks the configuration of this machine.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show and check the configuration.",
        subcommands: [ConfigShowCommand.self, ConfigCheckCommand.self])
}

import ArgumentParser

/// `config`: what holds on this machine, and what is wrong with how it is written.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show and check the configuration.",
        subcommands: [ConfigShowCommand.self, ConfigCheckCommand.self])
}

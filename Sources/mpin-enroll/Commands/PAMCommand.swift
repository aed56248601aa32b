import ArgumentParser

/// `pam`: what M-Pin has to do with the logins of a service.
struct PAMCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pam", abstract: "Show and change what a service asks for.",
        subcommands: [PAMShowCommand.self, PAMEnableCommand.self, PAMDisableCommand.self])
}

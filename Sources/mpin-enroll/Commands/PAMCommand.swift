import ArgumentParser

/// `pam`: what M-Pin has to do with the logins of a service.
struct PAMCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pam", abstract: "Show and change the PAM stack of a service.",
        subcommands: [PAMShowCommand.self, PAMEnableCommand.self, PAMDisableCommand.self])
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPin

/// Registers accounts of this machine for login with M-Pin and manages their registrations.
@main struct MPinEnroll: Program {
    static let configuration = CommandConfiguration(
        commandName: "mpin-enroll", abstract: "Enroll this machine for login with M-Pin.",
        version: MPinClient.version,
        subcommands: [
            NextCommand.self, RegisterCommand.self, TestCommand.self, StatusCommand.self, ListCommand.self,
            RecoverCommand.self, ChangePINCommand.self, RemoveCommand.self, ResendCommand.self, ApproveCommand.self,
            DenyCommand.self, LogOutCommand.self, OneTimePasswordCommand.self, OwnInviteCommand.self,
            BackupCodesCommand.self, DevicesCommand.self, OwnSSHCommand.self, DoctorCommand.self, ServerCommand.self,
            ConfigCommand.self, PAMCommand.self,
        ], defaultSubcommand: NextCommand.self)

    /// Ends the program if ssh runs it and has a valid certificate. ssh does so at each login, and the parser alone takes
    /// longer than this.
    static func prepare() {
        guard CommandLine.arguments.dropFirst().elementsEqual(["ssh", "--if-needed"]) else { return }
        if SSHFiles()?.current != nil { exit(.done) }
    }

    /// Whether the agent performs a command for users who may not read the store.
    static func isForUsers(_ words: [String]) -> Bool {
        var found: (any ParsableCommand.Type)? = self
        for word in words {
            guard let next = found?.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
            found = next
        }
        return (found?.configuration.defaultSubcommand ?? found) is any AgentCommand.Type
    }
}

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show and check the configuration.",
        subcommands: [ConfigShowCommand.self, ConfigCheckCommand.self])
}

struct PAMCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pam", abstract: "Show and change the PAM stack of a service.",
        subcommands: [PAMShowCommand.self, PAMEnableCommand.self, PAMDisableCommand.self])
}

struct ServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server", abstract: "Show the server's key, or use its new address.",
        discussion: """
            An enrollment belongs to the key of its server. Logins accept no answer that this key has not signed, \
            whatever TLS says. The address may change, and the key stays the same.
            """, subcommands: [ServerShowCommand.self, ServerSetCommand.self, ServerTrustCommand.self])
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `pam`: shows and changes the PAM stack of a service.
struct PAMCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pam", abstract: "Show and change the PAM stack of a service.",
        subcommands: [PAMShowCommand.self, PAMEnableCommand.self, PAMDisableCommand.self])
}

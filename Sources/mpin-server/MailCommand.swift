// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage

/// Sends a test mail through the configured SMTP server.
struct MailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "Test the configured mail server.", subcommands: [Test.self])

    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send one mail through the configured mail server, and show its answer.")

        @Argument(help: "The recipient's address.") var address: String
        @OptionGroup(title: HelpText.common) var options: Options

        func run() throws {
            if let reason = try options.administrator().sendTestMail(to: address) {
                throw ServerError(.unavailable, "cannot send mail to \(address): \(reason)")
            }
            options.output.succeed("The mail server accepted the mail to \(address).", ["address": address])
        }
    }
}

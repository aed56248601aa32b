// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage

struct MailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "Test the configured mail server.", subcommands: [Test.self])

    struct Test: DirectoryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send one mail through the configured mail server, and show its answer.")

        @Argument(help: "The recipient's address.") var address: String
        @OptionGroup var options: Options

        func run() throws {
            if let reason = try options.administrator().sendTestMail(to: address) {
                throw ServerError(.unavailable, "cannot send mail to \(address): \(reason)")
            }
            try options.output.succeed("The mail server accepted the mail to \(address).", ["address": address])
        }
    }
}

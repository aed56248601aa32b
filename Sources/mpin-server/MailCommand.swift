import ArgumentParser
import MPinServer

/// Sends a test mail through the configured SMTP server.
struct MailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "Send a test mail through the configured SMTP server.", subcommands: [Test.self])

    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send one mail as server.conf says, and tell what the mail server makes of it.")

        @Argument(help: "The address it goes to.") var address: String
        @OptionGroup var options: Options

        func run() throws {
            if let reason = try options.administrator().sendTestMail(to: address) {
                throw ServerFault(.unavailable, "no mail to \(address): \(reason)")
            }
            options.output.succeed("The mail server took a mail to \(address).", ["address": address])
        }
    }
}

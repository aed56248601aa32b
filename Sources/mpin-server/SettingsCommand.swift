// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Check the settings, or show what follows from them.",
        subcommands: [Check.self, Mail.self, BrowserCA.self])

    struct Check: DirectoryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Report every error in server.conf and server.conf.d.",
            discussion: "Example: sudo mpin-server config check")

        @OptionGroup var options: Options

        func run() throws {
            let certificate = CertificateCheck(options)
            let faults = try options.serverDirectory.configurationFaults(file: options.config) + certificate.faults
            guard let first = faults.first else {
                let lines = ["The configuration is valid."] + (certificate.sentence.map { [$0] } ?? [])
                return try options.output.succeed(
                    lines.joined(separator: "\n"), ["certificateDays": certificate.days])
            }
            throw CommandFailure(
                .configuration, first.kind.rawValue, first.message,
                advice: first.hint.isEmpty ? nil : Advice(first.hint), details: faults.dropFirst().map(\.message))
        }
    }

    struct Mail: DirectoryCommand {
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

    struct BrowserCA: DirectoryCommand {
        static let configuration = CommandConfiguration(
            commandName: "browser-ca", abstract: "Print a CA certificate with which browsers trust this server alone.",
            discussion: """
                For a server that was set up with --self-signed. Enrolled machines do not need it.

                Example: sudo mpin-server config browser-ca > mpin-ca.pem
                """)

        @OptionGroup var options: Options

        func run() throws {
            let certificate = try options.administrator().browserAuthority()
            try options.output.succeed(certificate, ["certificate": certificate])
        }
    }
}

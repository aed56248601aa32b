// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Foundation
import MPinServer
import MPinServerStorage
import ShellSyntax

struct SSHCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ssh", abstract: "Let users log in to other hosts with ssh and their PIN.",
        discussion: """
            After a login with the PIN, the server signs a certificate for the user's ssh key. Hosts that trust its CA \
            let the user in until the certificate expires.
            """,
        subcommands: [
            Enable.self, Disable.self, Allow.self, Deny.self, List.self, Key.self, HostScript.self,
        ])

    struct Enable: DirectoryCommand {
        static let configuration = CommandConfiguration(abstract: "Create the CA that signs certificates.")

        @OptionGroup var options: Options

        func run() throws {
            let (key, isNew) = try options.administrator().enableSSH()
            try options.output.succeed(
                """
                \(isNew ? "Created the SSH CA." : "The SSH CA exists already.") Its key: \(key.fingerprint)
                Let a user log in: \(options.line("ssh allow USER"))
                Make the script for the hosts: \(options.line("ssh host-script > mpin-host.sh"))
                """, ["key": key.line, "fingerprint": key.fingerprint, "created": isNew])
        }
    }

    struct Disable: DirectoryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete the CA. No user gets another certificate.",
            discussion: "A later 'enable' creates another CA, which no host trusts yet.")

        @Flag(help: "Do not ask for confirmation.") var yes = false
        @OptionGroup var options: Options

        func run() throws {
            let administrator = try options.administrator()
            guard try administrator.hasSSHAuthority() else { throw Administrator.noSSHAuthority }
            try confirm()
            try administrator.disableSSH()
            try options.output.succeed(
                """
                Deleted the SSH CA.
                Hosts accept existing certificates until they expire.
                To end this now, run on each host: sudo sh mpin-host.sh undo
                """, ["deleted": true])
        }

        private func confirm() throws(ServerError) {
            if yes { return }
            let question = "No user gets another certificate. To continue, type 'disable': "
            guard let answer = options.output.ask(question) else {
                throw ServerError(
                    .usage, "cannot ask for confirmation: no terminal",
                    hint: "Nothing was changed.\nDisable without confirmation: " + options.line("ssh disable --yes"))
            }
            guard answer == "disable" else {
                throw ServerError(.usage, "that is not 'disable'", hint: "Nothing was changed.")
            }
        }
    }

    struct Allow: DirectoryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a user log in over ssh. Replaces the user's accounts.")

        @Argument(help: "The user ID.", completion: .serverUsers) var userID: String
        @Option(
            help: .value("name", "Account on the hosts, repeatable. Default: the user ID."), completion: .accounts)
        var account: [String] = []
        @OptionGroup var options: Options

        func run() throws {
            let administrator = try options.administrator()
            let before = try administrator.sshAccounts().first { $0.user == userID }?.accounts ?? []
            let accounts = try administrator.allowSSH(userID, accounts: account)
            var lines = ["\(userID) may log in over ssh as: \(accounts.joined(separator: ", "))"]
            let removed = before.filter { !accounts.contains($0) }
            if !removed.isEmpty { lines.append("No longer: \(removed.joined(separator: ", ")).") }
            if try !administrator.hasSSHAuthority() {
                lines.append("The server has no SSH CA yet. Run: \(options.line("ssh enable"))")
            }
            // A user without a registration is unknown.
            let devices = try? administrator.user(userID).devicesInForce
            if devices ?? 0 == 0 {
                lines.append(
                    "\(userID) has no device yet. Run: \(options.line("invite \(ShellWord.quoted(userID))"))")
            }
            try options.output.succeed(lines.joined(separator: "\n"), ["userId": userID, "accounts": accounts])
        }
    }

    struct Deny: DirectoryCommand {
        static let configuration = CommandConfiguration(abstract: "No longer let a user log in over ssh.")

        @Argument(help: "The user ID.", completion: .serverUsers) var userID: String
        @OptionGroup var options: Options

        func run() throws {
            try options.administrator().denySSH(userID)
            try options.output.succeed(
                """
                \(userID) gets no more certificates.
                \(SSHCommand.remaining)
                """, ["userId": userID])
        }
    }

    struct List: DirectoryCommand {
        static let configuration = CommandConfiguration(abstract: "List the users who may log in over ssh.")

        @OptionGroup var options: Options

        func run() throws {
            let administrator = try options.administrator()
            let grants = try administrator.sshAccounts()
            // On standard error, because a program may read the table.
            if !options.output.json {
                if grants.isEmpty { StandardError.write(["No user may log in over ssh."]) }
                if try !administrator.hasSSHAuthority() {
                    StandardError.write(["There is no SSH CA. Run: \(options.line("ssh enable"))"])
                }
            }
            let devices = try administrator.users().reduce(into: [:]) { $0[$1.user] = $1.devicesInForce }
            let rows = grants.map {
                [
                    Table.Cell($0.user), Table.Cell(String(devices[$0.user] ?? 0)),
                    Table.Cell($0.accounts.joined(separator: ", ")),
                ]
            }
            try options.output.succeed(
                Table(heading: ["USER", "DEVICES", "ACCOUNTS"], rows: rows),
                [
                    "users": grants.map {
                        ["userId": $0.user, "devices": devices[$0.user] ?? 0, "accounts": $0.accounts] as Members
                    }
                ])
        }
    }

    struct Key: DirectoryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the CA's public key.",
            discussion: "To set up a host, use 'ssh host-script' instead: it also excludes root.")

        @OptionGroup var options: Options

        func run() throws {
            let key = try options.administrator().sshKey()
            try options.output.succeed(key.line, ["key": key.line, "fingerprint": key.fingerprint])
        }
    }

    struct HostScript: DirectoryCommand {
        static let configuration = CommandConfiguration(
            commandName: "host-script", abstract: "Print the script that lets a host accept certificates.",
            discussion: "Run it as root on each host: sh mpin-host.sh. It is undone by: sh mpin-host.sh undo.")

        @OptionGroup var options: Options

        func run() throws {
            let key = try options.administrator().sshKey()
            let script = String(decoding: PackageResources.mpin_host_sh, as: UTF8.self)
                .replacingOccurrences(of: "@CA@", with: key.line)
            try options.output.succeed(script.trimmingCharacters(in: .newlines), ["script": script])
        }
    }

    /// A warning after a change that takes rights from a user.
    static let remaining = "Hosts accept existing ssh certificates until they expire. See: docs/ssh.md"
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinAgent
import SystemFiles

struct OwnSSHCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ssh", abstract: "Log in to servers with ssh and the PIN.",
        subcommands: [Get.self, SSHSetupCommand.self, Forget.self], defaultSubcommand: Get.self)

    struct Get: AgentCommand {
        static let configuration = CommandConfiguration(
            commandName: "get", abstract: "Get a certificate, with which ssh logs in until it expires.")

        @OptionGroup var pin: PINOptions

        @Flag(help: "Do nothing if a certificate is valid for another 30 seconds.") var ifNeeded = false
        @OptionGroup var common: CommonOptions

        func work() throws(CommandFailure) -> Report {
            if ifNeeded, let files = SSHFiles(), let present = files.current { return report(present, files) }
            try OwnSSHCommand.requireOwnAccount(common)
            let dialog = try dialog()
            let target = try TargetAccount(common)
            let files = try SSHFiles.prepared()
            return try SSHFiles.inTurn(files.directory, waiting: sayWaiting) { hasWaited throws(CommandFailure) in
                if hasWaited {
                    if let present = files.current { return report(present, files, isShown: !ifNeeded) }
                    // Otherwise, after a wrong PIN, each of many calls would ask for it again.
                    guard !ifNeeded else { throw OwnSSHCommand.otherFailed }
                }
                return try get(target, files, dialog)
            }
        }

        private func get(
            _ target: TargetAccount, _ files: SSHFiles, _ dialog: PINDialog
        ) throws(CommandFailure) -> Report {
            let key = try files.makeKey()
            var answer: LoginAnswer
            do throws(CommandFailure) { answer = try target.logIn("ssh", key.base64, common, dialog) } catch {
                throw OwnSSHCommand.explained(error, target)
            }
            let line = answer.values.text()
            try answer.require()
            guard let certificate = SSHUserCertificate(line.utf8), certificate.key == key else {
                throw CommandFailure(
                    .protocolFault, "RESPONSE_PARSE_ERROR",
                    "\(answer.registration.backend) sent no certificate for this key.")
            }
            try files.store(certificate)
            // On standard error, because ssh discards standard output.
            if !common.json { for line in answer.lines { Terminal.say(line) } }
            if !certificate.isValid {
                Terminal.say("By this machine's clock, the certificate is not valid. Check the clock: timedatectl")
            }
            return report(certificate, files, target.description(of: answer.registration), answer.registration.identity)
        }

        private func dialog() throws(CommandFailure) -> PINDialog {
            var source = pin.source(common, for: "ssh")
            source.program = AskProgram()
            if common.mayAsk {
                source.messageWhenNeeded = "There is no terminal to ask for the PIN."
                source.whenNeeded = Advice("Run in a terminal: mpin-enroll ssh")
            }
            try source.require()
            let dialog = PINDialog(source)
            dialog.place = HostName.here
            return dialog
        }

        private func sayWaiting() {
            if !common.json, !common.quiet { Terminal.say("Waiting for another mpin-enroll, which asks for the PIN.") }
        }

        /// - Parameters:
        ///   - identity: nil for a certificate that this command did not get.
        ///   - isShown: whether such a certificate is shown, too.
        private func report(
            _ certificate: SSHUserCertificate, _ files: SSHFiles, _ user: Members = [:], _ identity: String? = nil,
            isShown: Bool = false
        ) -> Report {
            let members = user.merging([
                "accounts": certificate.accounts, "serial": certificate.serial,
                "expires": TargetAccount.text(certificate.expirySeconds),
                "certificate": files.certificate, "renewed": identity != nil,
            ])
            guard identity != nil || isShown else { return Report([], members) }
            let accounts = certificate.accounts.joined(separator: ", ")
            let left = RelativeTime.amount(seconds: certificate.secondsLeft + 5)
            let rights =
                identity.map { "\($0) may log in as \(accounts)," } ?? "The certificate for \(accounts) is valid"
            let isSetUp = SSHFiles.userDirectory.map { FileFacts.isThere($0 + "/" + SSHClientFile.name) } ?? true
            return Report(
                ["\(rights) until \(certificate.expiry) (\(left))."], members,
                next: isSetUp ? nil : Advice("Name the servers for which ssh uses it: mpin-enroll ssh setup HOST"))
        }
    }

    struct Forget: EnrollCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget", abstract: "Delete the certificate and its key from this machine.")

        @OptionGroup var common: CommonOptions

        func work() throws(CommandFailure) -> Report {
            try OwnSSHCommand.requireOwnAccount(common)
            // A former login may have had another place for them.
            let found = SSHFiles.all.filter(\.exist)
            for files in found {
                try SSHFiles.inTurn(files.directory) { _ throws(CommandFailure) in try files.forget() }
            }
            return Report(
                [!found.isEmpty ? "The certificate and its key are deleted." : "There is no certificate here."],
                ["deleted": !found.isEmpty])
        }
    }

    /// Refuses to work for another user than the one whose files ssh reads.
    static func requireOwnAccount(_ common: CommonOptions) throws(CommandFailure) {
        let isOther = common.user.map { AccountName.canonical($0) != AccountName.own } ?? false
        guard AccountName.caller == nil, !isOther else {
            throw CommandFailure(
                .notPermitted, "NOT_PERMITTED", "A certificate is for the user who runs this command.",
                advice: Advice("Run it as this user, without sudo: mpin-enroll ssh"))
        }
    }

    private static var otherFailed: CommandFailure {
        CommandFailure(
            .tryLater, "CANCELED", "Another mpin-enroll asked for the PIN, and got no certificate.",
            advice: Advice("Try again: mpin-enroll ssh"))
    }

    /// The failure with what is special about certificates.
    private static func explained(_ failure: CommandFailure, _ target: TargetAccount) -> CommandFailure {
        switch failure.code {
        case "IDENTITY_NOT_AUTHORIZED":
            return CommandFailure(
                failure.exitStatus, failure.code, "The server does not let \(target.identity) log in over ssh.",
                advice: Advice("Ask your administrator. At the server, check: sudo mpin-server ssh list"))
        case "NOT_OFFERED":
            return CommandFailure(
                failure.exitStatus, failure.code, "The server issues no ssh certificates.",
                advice: Advice("Ask the server's administrator to update it."))
        case "NOT_PERMITTED" where !AgentCall.isUsed:
            return failure.advising(
                Advice("This command needs mpin-agent. Start it: sudo systemctl enable --now mpin-agent.socket"))
        default: return failure
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CMPinSystem
import Console
import MPin

/// Registers accounts of this machine for login with M-Pin and manages their registrations.
@main struct MPinEnroll: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mpin-enroll", abstract: "Enroll this machine for login with M-Pin.",
        discussion: "The manual has the exit codes: man mpin-enroll", version: MPinClient.version,
        subcommands: [
            NextCommand.self, RegisterCommand.self, TestCommand.self, StatusCommand.self, ListCommand.self,
            RecoverCommand.self, ChangePINCommand.self, RemoveCommand.self, ResendCommand.self, ApproveCommand.self,
            DenyCommand.self, LogOutCommand.self, OneTimePasswordCommand.self, OwnInviteCommand.self,
            BackupCodesCommand.self, DevicesCommand.self, DoctorCommand.self, ServerCommand.self, ConfigCommand.self,
            PAMCommand.self,
        ], defaultSubcommand: NextCommand.self)

    /// Runs the command that the arguments name. With `--json`, a usage error is reported as an object, like any
    /// failure.
    static func main() {
        // This has to come before anything is opened.
        mpin_standard_descriptors()
        let arguments = MPinEnroll.arguments
        do {
            if let fault = syntax.fault(arguments) { throw ValidationError(fault) }
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch {
            // The command has already reported its failure.
            if error is ExitCode { Self.exit(withError: error) }
            // Help and the version are written here, because the parser ignores a failed write.
            if exitCode(for: error) == .success { tell(HelpText.arranged(fullMessage(for: error))) }
            if exitCode(for: error) == .validationFailure, arguments.contains("--json") {
                Report.print(CommandFailure(.usage, "USAGE", CommandLineSyntax.message(message(for: error))), hint: nil)
                Self.exit(withError: ExitCode(ExitStatus.usage.rawValue))
            }
            if exitCode(for: error) == .validationFailure {
                // A misspelled command has no usage. Pasted arguments may contain control characters.
                let text =
                    error is ValidationError
                    ? "Error: " + message(for: error) : CommandLineSyntax.message(fullMessage(for: error))
                text.split(separator: "\n", omittingEmptySubsequences: false).forEach { Terminal.say(String($0)) }
                Self.exit(withError: ExitCode(ExitStatus.usage.rawValue))
            }
            Self.exit(withError: error)
        }
    }

    /// Writes help or the version to standard output and exits.
    private static func tell(_ text: String) -> Never {
        do throws(CommandFailure) { try StandardOutput.write([text]) } catch {
            Terminal.say("mpin-enroll: " + error.message)
            exit(withError: ExitCode(error.exitStatus.rawValue))
        }
        exit()
    }

    static var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

    /// Whether the agent performs a command for users who may not read the store.
    static func isForUsers(_ words: [String]) -> Bool {
        var found: (any ParsableCommand.Type)? = self
        for word in words {
            guard let next = found?.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
            found = next
        }
        return (found?.configuration.defaultSubcommand ?? found) is any AgentCommand.Type
    }

    /// The command named on the command line, or the default command.
    static var commandName: String {
        let first = CommandLine.arguments.dropFirst().first
        let names = configuration.subcommands.flatMap { [$0._commandName] + $0.configuration.aliases }
        return first.flatMap { names.contains($0) ? $0 : nil } ?? NextCommand._commandName
    }

    private static var syntax: CommandLineSyntax {
        CommandLineSyntax(
            self, repeatable: ["--json", "--no-input", "--quiet", "--yes"],
            prefix: AccountName.caller == nil ? [] : ["sudo"])
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CMPinSystem
import Console
import Foundation
import MPinServer
import MPinServerStorage

/// The server's command line.
@main struct MPinServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mpin-server", abstract: "Run and manage an M-Pin server.",
        discussion: "The manual has the exit codes: man mpin-server", version: ListeningServer.version,
        subcommands: [
            SetupCommand.self, InitCommand.self, ServeCommand.self, ServerStatusCommand.self, FingerprintCommand.self,
            InviteCommand.self, UserCommand.self, DeviceCommand.self, HostCommand.self, RelyingPartyCommand.self,
            SettingsCommand.self, AuditCommand.self, MailCommand.self, BackupCommand.self, RestoreCommand.self,
            RotateCommand.self, ResealCommand.self, SetupStateCommand.self,
        ])

    /// Parses and runs the command, like ArgumentParser's own `main`, but reports usage errors as JSON if `--json` is
    /// given.
    ///
    /// It runs on the first thread. An asynchronous `main` would end that thread first. The kernel then takes the user of
    /// that thread, which cannot change any more, for that of the process.
    static func main() {
        // Must precede the first opened file.
        mpin_standard_descriptors()
        // Must precede the first secret that is read.
        LockedMemory.protect()
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            // 'user block' is not in the list of commands, and explains why it does not exist.
            let isExplained = arguments.prefix(2) == ["user", "block"]
            if !isExplained, let fault = CommandLineSyntax(self, repeatable: ["--json", "--listen"]).fault(arguments) {
                throw ValidationError(fault)
            }
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch { fail(error) }
    }

    /// Reports why a command failed, and ends the process.
    static func fail(_ error: any Error) -> Never {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do { throw error } catch let fault as ServerError {
            Output(json: arguments.contains("--json")) { line($0, arguments) }.fail(fault)
        } catch {
            let code = exitCode(for: error).rawValue
            // Help, or the version. ArgumentParser would ignore a failed write.
            if code == 0 {
                Output.print(HelpText.arranged(fullMessage(for: error)))
                exit()
            }
            if arguments.contains("--json"), code != 0 {
                Output(json: true).fail(
                    ServerError(.usage, CommandLineSyntax.message(message(for: error))), exitCode: code)
            }
            if exitCode(for: error) == .validationFailure {
                // A misspelled command has no usage.
                Output.show(
                    error is ValidationError
                        ? "Error: " + message(for: error) : CommandLineSyntax.message(fullMessage(for: error)))
                exit(withError: ExitCode(code))
            }
            exit(withError: error)
        }
    }

    /// A follow-up command line for the server of a command that failed.
    private static func line(_ command: String, _ arguments: [String]) -> String {
        let typed = TypedOptions(arguments, of: self)
        return CommandLineText.line(
            command, directory: typed.value(of: "--dir") ?? CommandLineText.standardDirectory,
            config: typed.value(of: "--config"))
    }
}

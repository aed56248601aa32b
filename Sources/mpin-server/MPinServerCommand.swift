import ArgumentParser
import CommandSyntax
import Foundation
import MPinServer

/// The server's command line.
@main
struct MPinServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mpin-server", abstract: "The server side of M-Pin login.", version: LoginService.version,
        subcommands: [
            InitCommand.self, ServeCommand.self, InviteCommand.self, UserCommand.self, HostCommand.self,
            AuditCommand.self, MailCommand.self,
        ])

    /// Like the parser's own, but a mistake on the command line is an object too where `--json` stands on it.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if let fault = syntax.fault(arguments) { throw ValidationError(fault) }
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let fault as ServerFault {
            Output(json: arguments.contains("--json")).fail(fault)
        } catch {
            let code = exitCode(for: error).rawValue
            if arguments.contains("--json"), code != 0 {
                Output(json: true).fail(ServerFault(.usage, message(for: error)), exitCode: code)
            }
            exit(withError: error)
        }
    }

    private static var syntax: CommandSyntax {
        var commands = ["help": [String]()]
        for command in configuration.subcommands {
            commands[command._commandName] = command.configuration.subcommands.map { $0._commandName }
        }
        return CommandSyntax(commands: commands, repeatable: ["--json"])
    }
}

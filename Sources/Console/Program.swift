// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import CMPinSystem
import Glibc

/// How a command prints its report or failure.
package protocol OutputOptions {
    var program: String { get }
    /// Whether to print exactly one JSON object.
    var json: Bool { get }
    /// Whether to print only answers and errors.
    var quiet: Bool { get }
    var color: Display.Colors { get }
    /// A command line of the program with the options of the current one.
    ///
    /// - Parameter advice: the hint that has the command.
    func line(_ command: String, for advice: Advice) -> String
}

extension OutputOptions {
    package var quiet: Bool { false }
    package var color: Display.Colors { .auto }
}

package protocol ReportingCommand: ParsableCommand {
    associatedtype Printing: OutputOptions
    var output: Printing { get }
}

package protocol Program: ParsableCommand {
    /// Work before the command line is read.
    static func prepare()
    /// The failure for an error of one of its libraries; nil for another error.
    static func failure(_ error: any Error) -> CommandFailure?
}

extension Program {
    package static func prepare() {}
    package static func failure(_ error: any Error) -> CommandFailure? { nil }

    /// Parses the command line and runs the command.
    ///
    /// It runs on the first thread. An asynchronous `main` would end that thread first. The kernel then takes the user of
    /// that thread, which cannot change any more, for that of the process.
    package static func main() {
        // Must precede the first opened file.
        mpin_standard_descriptors()
        prepare()
        do {
            var command = try parseAsRoot()
            do { try command.run() } catch {
                guard let command = command as? any ReportingCommand else { throw error }
                end(error, command.output)
            }
        } catch { end(error) }
    }

    /// Reports why a command failed, and ends the process.
    package static func end(_ error: any Error, _ output: some OutputOptions) -> Never {
        guard let failure = error as? CommandFailure ?? failure(error) else { end(error) }
        failure.print(output)
        exit(failure.exitStatus)
    }

    package static func exit(_ status: ExitStatus) -> Never { Glibc.exit(status.rawValue) }

    /// Ends the process after an answer of the parser: help, the version, or why the command line is not valid.
    private static func end(_ error: any Error) -> Never {
        let unparsed = Unparsed(program: _commandName, json: CommandLine.arguments.contains("--json"))
        let isAnswer = exitCode(for: error) == .success, text = fullMessage(for: error)
        let lines = HelpText.lines(of: isAnswer ? text : visibleLines(text), program: _commandName)
        if isAnswer {
            // The parser would ignore a failed write.
            do throws(CommandFailure) { try StandardOutput.write(lines) } catch {
                end(error, unparsed)
            }
        } else if unparsed.json {
            CommandFailure(.usage, "USAGE", visible(message(for: error))).print(unparsed)
        } else {
            StandardError.write(lines)
        }
        exit(isAnswer ? .done : .usage)
    }
}

/// The output of a command line that the parser has not accepted.
private struct Unparsed: OutputOptions {
    let program: String
    let json: Bool

    func line(_ command: String, for advice: Advice) -> String { "\(program) \(command)" }
}

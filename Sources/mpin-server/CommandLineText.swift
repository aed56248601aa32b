// SPDX-License-Identifier: Apache-2.0
import Console
import Foundation
import MPinServer
import ShellSyntax
import SystemFiles

/// Command lines of this program that work when the user types them in the same shell.
enum CommandLineText {
    static let standardDirectory = ServerDirectory.installed

    /// - Parameter command: the command and its arguments.
    static func line(_ command: String, directory: String, config: String?) -> String {
        var words = prefix + ["mpin-server", command]
        if directory != standardDirectory { words += ["--dir", ShellWord.quoted(directory)] }
        if let config { words += ["--config", ShellWord.quoted(config)] }
        return words.joined(separator: " ")
    }

    /// A command line with a file name, placed where the parser does not take it for an option.
    static func line(_ command: String, file: String, directory: String, config: String?) -> String {
        guard file.hasPrefix("-") else {
            return line("\(command) \(ShellWord.quoted(file))", directory: directory, config: config)
        }
        return line(command, directory: directory, config: config) + " -- " + ShellWord.quoted(file)
    }

    /// The current command line, run by root, who becomes the owner of the server's directory.
    static var againAsRoot: String {
        (["sudo", "mpin-server"] + CommandLine.arguments.dropFirst().map(ShellWord.quoted)).joined(separator: " ")
    }

    /// The prefix with which the shell of a user who called sudo runs a command again.
    private static var prefix: [String] { ProcessInfo.processInfo.environment["SUDO_USER"] == nil ? [] : ["sudo"] }
}

extension String {
    /// The text, wrapped between words to the width of the terminal. Continuation lines keep the indentation of their
    /// line. Commands stay whole, so that they can be copied, and so do words longer than a line.
    func wrapped(_ columns: Int) -> String {
        guard columns < .max else { return self }
        return split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            let indentation = line.prefix { $0 == " " }.count
            let text = line.dropFirst(indentation)
            guard line.count > columns, !text.hasPrefix("mpin-server "), !text.hasPrefix("sudo ") else {
                return [String(line)]
            }
            return Display.wrapped(text, columns: columns, indentation: indentation)
        }.joined(separator: "\n")
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServerStorage
import SystemFiles

/// A system program that setup runs.
struct SystemCommand {
    private let words: [String]

    /// - Parameter words: an absolute path, and the arguments.
    init(_ words: String...) { self.words = words }

    init(_ words: [String]) { self.words = words }

    /// Runs the program to its end, without input.
    func run() throws(ServerError) -> ChildProgram {
        let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
        do throws(SystemError) { return try ChildProgram(words, environment: environment) } catch {
            throw ServerError(.cannotCreate, "cannot run \(words[0]): \(error.text)")
        }
    }

    /// Makes systemd read its units again, after a change of this file.
    static func reloadUnits(_ file: String) throws(ServerError) {
        guard try SystemCommand("/usr/bin/systemctl", "daemon-reload").run().status == 0 else {
            throw ServerError(.cannotCreate, "systemd cannot load \(file)")
        }
    }
}

extension ChildProgram {
    /// The program's own error message, on one line.
    var reason: String {
        let lines = errors.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return lines.isEmpty ? "exit status \(status)" : lines.prefix(4).joined(separator: "; ")
    }
}

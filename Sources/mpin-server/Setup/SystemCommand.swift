// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage

/// A system program that setup runs.
struct SystemCommand {
    struct Result {
        let status: Int32
        let output: String
        let errors: String

        /// The program's own error message, on one line.
        var reason: String {
            let lines = errors.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            return lines.isEmpty ? "exit status \(status)" : lines.prefix(4).joined(separator: "; ")
        }
    }

    private let words: [String]

    /// - Parameter words: an absolute path, and the arguments.
    init(_ words: String...) { self.words = words }

    init(_ words: [String]) { self.words = words }

    /// Runs the program to its end, without input.
    func run() throws(ServerError) -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        do { try process.run() } catch {
            throw ServerError(.cannotCreate, "cannot run \(words[0]): \(error.localizedDescription)")
        }
        // The output of these programs fits into a pipe, so they never block on one pipe while the other is read.
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: complaints, as: UTF8.self))
    }
}

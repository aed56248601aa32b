import Foundation
import MPinServer

/// A program of the system that setup runs.
struct SystemCommand {
    struct Result {
        let status: Int32
        let output: String
        let errors: String

        /// Why it failed, in one line, as the program says.
        var reason: String {
            let lines = errors.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            return lines.isEmpty ? "it ended with \(status)" : lines.prefix(4).joined(separator: "; ")
        }
    }

    private let words: [String]

    /// - Parameter words: an absolute path, and the arguments.
    init(_ words: String...) { self.words = words }

    init(_ words: [String]) { self.words = words }

    /// Runs it to its end; it asks nothing.
    func run() throws(ServerFault) -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        do { try process.run() } catch {
            throw ServerFault(.cannotCreate, "\(words[0]) cannot be run: \(error.localizedDescription)")
        }
        // What these programs say fits into a pipe, so that they never wait for one while the other is read.
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: complaints, as: UTF8.self))
    }
}

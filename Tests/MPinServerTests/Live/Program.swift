// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The program as it is installed, beside the test's own.
enum Program {
    static var path: String {
        get throws {
            let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("mpin-server").path
        }
    }

    struct Result {
        let code: Int32
        let output: String
        let errors: String

        var object: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any] ?? [:]
        }
    }

    static func run(_ arguments: [String]) throws -> Result { try run(at: path, arguments) }

    static func run(at path: String, _ arguments: [String], input: String = "") throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        let stdin = Pipe()
        process.standardInput = stdin
        // Before the program starts: it need not read its input, and a write to a pipe without a reader would end the tests.
        try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try process.run()
        try stdin.fileHandleForWriting.close()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(
            code: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: complaints, as: UTF8.self))
    }
}

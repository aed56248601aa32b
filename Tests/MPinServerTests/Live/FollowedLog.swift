// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// An `audit --follow` that runs.
final class FollowedLog {
    private let process = Process()
    private let output = Pipe()
    private var text = Data()

    init(_ directory: String, _ words: [String]) throws {
        process.executableURL = URL(fileURLWithPath: try Program.path)
        process.arguments = ["audit", "--follow", "--dir", directory] + words
        process.standardOutput = output
        try process.run()
        try output.fileHandleForWriting.close()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Waits for so many lines in all.
    func lines(_ count: Int) -> [String] {
        while lines.count < count {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { break }
            text += part
        }
        return lines
    }

    private var lines: [String] {
        // The part after the last newline is not complete.
        String(decoding: text, as: UTF8.self).components(separatedBy: "\n").dropLast()
    }

    /// Closes the reading end.
    func leave() throws { try output.fileHandleForReading.close() }

    /// The exit status after a signal; nil if a signal killed the program.
    func end(_ signal: Int32? = nil) -> Int32? {
        if let signal { kill(process.processIdentifier, signal) }
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }

    /// Everything printed up to the end.
    func all() -> [String] { lines(.max) }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// An `audit --follow` that runs.
final class FollowedLog {
    private let process = Process()
    private let output = Pipe()
    private var text = Data()

    init(_ directory: String, _ words: [String]) throws {
        // A job in the background ignores some signals, which programs inherit.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["--default-signal=INT,HUP,TERM,PIPE", try Program.path, "audit", "--follow", "--dir", directory] + words
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

    func leave() throws { try output.fileHandleForReading.close() }

    /// The exit status after a signal; nil if the program did not end by itself within a minute.
    func end(_ signal: Int32? = nil) -> Int32? {
        let identifier = process.processIdentifier
        if let signal { kill(identifier, signal) }
        let killer = DispatchWorkItem { kill(identifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 600, execute: killer)
        defer { killer.cancel() }
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }

    /// Everything printed up to the end.
    func all() -> [String] { lines(.max) }
}

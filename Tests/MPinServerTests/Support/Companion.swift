// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A program that runs beside a test, until its input ends or it is stopped.
class Companion {
    struct NotReady: Error { var output = "" }

    private let process = Process()
    private let input = Pipe()

    /// - Parameter ready: how its output begins when it is ready; nil if it does not tell.
    init(_ words: [String], ready: String? = "ready") throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardInput = input
        if ready != nil { process.standardOutput = output } else { process.standardError = FileHandle.nullDevice }
        try process.run()
        guard let ready else { return }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard line.hasPrefix(ready) else { throw NotReady(output: line) }
    }

    deinit { stop() }

    var identifier: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// Ends its input, and waits for its end.
    func end() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Children of this process may have been told to ignore SIGTERM.
    func stop() {
        guard process.isRunning else { return }
        _ = kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A program that runs beside the test, and ends with it at the latest.
final class Background {
    private let process = Process()
    private let input = Run.pipe()
    private let output: Pipe?

    /// - Parameter output: what gets its standard output; nil for ``line``.
    init(_ call: [String], environment: [String: String] = [:], output other: FileHandle? = nil) throws {
        output = other == nil ? Run.pipe() : nil
        process.executableURL = URL(fileURLWithPath: call[0])
        process.arguments = Array(call.dropFirst())
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = other ?? output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { kill() }

    var identifier: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// The next output, which it waits for: at first a line that says that the program is ready.
    func line() -> String {
        String(decoding: output?.fileHandleForReading.availableData ?? Data(), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Requires that it writes a text.
    func requireLine(_ text: String) throws {
        var said = ""
        repeat {
            let more = line()
            said += more
            try #require(!more.isEmpty, "it has ended: \(said)")
        } while !said.contains(text)
    }

    /// Waits until it waits to write to its standard output, for which there is no room.
    func waitForWrite() throws {
        // In write(1, ...), with the system call's number on both supported architectures.
        let isWriting = becomes {
            let call = (try? String(contentsOfFile: "/proc/\(identifier)/syscall", encoding: .utf8)) ?? ""
            return call.hasPrefix("1 0x1 ") || call.hasPrefix("64 0x1 ")
        }
        try #require(isWriting && isRunning, "it does not wait")
    }

    func type(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    /// Ends its input, and waits for the end of the program.
    ///
    /// - Returns: the rest of its output.
    @discardableResult func end() -> String {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return String(decoding: output?.fileHandleForReading.readDataToEndOfFile() ?? Data(), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// What it has ended with, which it waits for.
    func status() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    func send(_ signal: Int32) { if process.isRunning { Glibc.kill(identifier, signal) } }

    /// Ends it, and what it has started by the end of the input: the process is only seen to end with its children.
    func kill() {
        send(SIGKILL)
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

/// Waits until something is true.
///
/// - Returns: whether it has become true in two minutes.
@discardableResult func becomes(seconds: Double = 120, _ isTrue: () throws -> Bool) rethrows -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
        if try isTrue() { return true }
        usleep(20_000)
    }
    return false
}

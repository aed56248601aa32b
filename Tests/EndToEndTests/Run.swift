// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A program that has run.
struct Run {
    let status: Int32
    let output: String
    let errors: String

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - input: what it reads on standard input; `nil` for none at all.
    ///   - environment: over the test's own.
    init(
        _ program: String, _ arguments: [String], input: String? = nil, environment: [String: String] = [:],
        seconds: Double = 600
    ) throws {
        let out = Run.pipe(), err = Run.pipe(), source = Run.pipe()
        if let input {
            // Written before the program starts: it need not read its input, and a write to a pipe without a reader would
            // end the tests. A pipe takes 64 KiB.
            try source.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        }
        let child = try Child(
            program, arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            input: input == nil ? nil : source.fileHandleForReading.fileDescriptor,
            output: out.fileHandleForWriting.fileDescriptor, errors: err.fileHandleForWriting.fileDescriptor)
        for end in [out.fileHandleForWriting, err.fileHandleForWriting, source.fileHandleForReading] {
            try? end.close()
        }
        try? source.fileHandleForWriting.close()
        let killer = DispatchWorkItem { child.kill() }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: killer)
        let errors = Reading(err.fileHandleForReading)
        output = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        status = child.wait()
        killer.cancel()
        self.errors = errors.text
    }

    /// One that has run in the background.
    init(status: Int32, output: String) { (self.status, self.output, errors) = (status, output, "") }

    /// - Parameter call: the program and its arguments.
    init(
        _ call: [String], input: String? = nil, environment: [String: String] = [:], seconds: Double = 600
    ) throws {
        try self.init(call[0], Array(call.dropFirst()), input: input, environment: environment, seconds: seconds)
    }

    /// A pipe that no other program inherits: a server started meanwhile would hold it open for ever.
    static func pipe() -> Pipe {
        let pipe = Pipe()
        for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        return pipe
    }

    /// The JSON object on standard output, which must be the only thing there.
    func json() throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(output.utf8))
        guard let members = object as? [String: Any] else { throw CocoaError(.coderReadCorrupt) }
        return members
    }

    var all: String { output + errors }
    var lines: [String] { output.split(separator: "\n").map(String.init) }
    var errorCode: String? { (try? json()["error"] as? [String: Any])?["code"] as? String }
}

/// Reads a pipe to its end on a thread of its own, so that two pipes cannot block each other.
private final class Reading: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)
    private var data = Data()

    init(_ handle: FileHandle) {
        DispatchQueue.global().async { [self] in
            data = handle.readDataToEndOfFile()
            done.signal()
        }
    }

    var text: String {
        done.wait()
        return String(decoding: data, as: UTF8.self)
    }
}

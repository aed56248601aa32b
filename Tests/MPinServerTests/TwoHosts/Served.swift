// SPDX-License-Identifier: Apache-2.0
import Foundation

/// `mpin-server serve` as a process on a directory that another owns; it ends with this.
final class Served {
    /// It ended before it was ready.
    struct Ended: Error {
        let code: Int32
        let errors: String
    }

    let socket: String
    private let process = Process()

    var peer: SocketPeer { SocketPeer(path: socket) }

    init(_ directory: String, _ options: String...) throws {
        socket = directory + ".sock"
        process.executableURL = URL(fileURLWithPath: try Program.path)
        process.arguments = ["serve", "--dir", directory, "--listen", "unix:\(socket)"] + options
        let (output, errors) = (Pipe(), directory + ".log")
        process.standardOutput = output
        FileManager.default.createFile(atPath: errors, contents: nil)
        process.standardError = FileHandle(forWritingAtPath: errors)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let line = output.fileHandleForReading.availableData
        guard String(decoding: line, as: UTF8.self).contains("ready") else {
            process.waitUntilExit()
            throw Ended(
                code: process.terminationStatus, errors: (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "")
        }
    }

    deinit { kill() }

    func kill() {
        guard process.isRunning else { return }
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func stop() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

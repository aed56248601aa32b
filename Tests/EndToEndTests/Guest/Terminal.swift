// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A program on a pseudoterminal, with a user who types.
final class Terminal {
    private let master: Int32
    private let process = Process()
    /// Everything that has been on the screen.
    private(set) var screen = ""
    /// How much of it has been looked at.
    private var position = 0

    init(_ program: String, _ arguments: [String]) throws {
        // The C library hides its functions for this from Swift; these are the two requests behind them.
        let unlock: UInt = 0x4004_5431, getNumber: UInt = 0x8004_5430
        var zero: Int32 = 0, number: Int32 = 0
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard master >= 0, ioctl(master, unlock, &zero) == 0, ioctl(master, getNumber, &number) == 0 else {
            throw POSIXError(.ENODEV)
        }
        let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw POSIXError(.ENODEV) }
        let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
        // A test run in the background of a shell ignores these signals, and children inherit that.
        let withSignals = ["/usr/bin/env", "--default-signal=HUP,INT,QUIT"]
        process.arguments = ["--ctty", "--wait"] + withSignals + [program] + arguments
        process.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TERM": "dumb"]
        process.standardInput = handle
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        try handle.close()
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
    }

    convenience init(_ call: [String]) throws { try self.init(call[0], Array(call.dropFirst())) }

    deinit {
        close(master)
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Waits until a text has come that has not been looked at yet; not beyond the end of the program.
    func shows(_ text: String, seconds: Double = 120) -> Bool {
        let end = Date().addingTimeInterval(seconds)
        while true {
            let hasEnded = !process.isRunning
            read()
            let unseen = screen.utf8.dropFirst(position)
            if let found = String(decoding: unseen, as: UTF8.self).range(of: text) {
                position += String(decoding: unseen, as: UTF8.self)[..<found.upperBound].utf8.count
                return true
            }
            if hasEnded || Date() > end { return false }
            usleep(10_000)
        }
    }

    /// Waits for the first of some texts that have not been looked at yet; nil at the end of the program.
    func first(of texts: String..., seconds: Double = 120) -> String? {
        let end = Date().addingTimeInterval(seconds)
        while Date() < end {
            let hasEnded = !process.isRunning
            if let found = texts.first(where: { shows($0, seconds: 0) }) { return found }
            if hasEnded { return nil }
        }
        return nil
    }

    /// Waits for any prompt: text that ends with a colon and has no line end.
    func asks(seconds: Double = 120) -> Bool {
        let end = Date().addingTimeInterval(seconds)
        while process.isRunning, Date() < end {
            read()
            if screen.hasSuffix(": "), position < screen.utf8.count {
                position = screen.utf8.count
                return true
            }
            usleep(10_000)
        }
        return false
    }

    /// Types like a person after a prompt: not at once, because early input is discarded, and because a
    /// last try cannot be confirmed within 250 ms.
    func type(_ text: String, enter: Bool = true) {
        usleep(300_000)
        let bytes = Array((text + (enter ? "\n" : "")).utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// Waits for a prompt, and types an answer.
    func answer(_ prompt: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(shows(prompt), "\(screen)", sourceLocation: sourceLocation)
        type(text)
    }

    /// Types a key together with Control.
    func control(_ key: Character) {
        type(String(UnicodeScalar((key.asciiValue ?? 0) & 0x1F)), enter: false)
    }

    /// Sends a signal to everything that runs at this terminal.
    ///
    /// - Returns: how many processes there are.
    @discardableResult func signalAll(_ signal: Int32) -> Int {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let own = all.compactMap { Int32($0) }.filter { getsid($0) == session }
        for pid in own { Glibc.kill(pid, signal) }
        return own.count
    }

    /// The session of the program, and its number: the process which setsid has made becomes the program.
    var session: Int32 {
        let path = "/proc/\(process.processIdentifier)/task/\(process.processIdentifier)/children"
        let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return children.split(separator: " ").first.flatMap { Int32($0) } ?? process.processIdentifier
    }

    /// Waits for the end of the program.
    func end(seconds: Double = 120) -> Int32? {
        let end = Date().addingTimeInterval(seconds)
        while process.isRunning && Date() < end {
            read()
            usleep(10_000)
        }
        read()
        return process.isRunning ? nil : process.terminationStatus
    }

    private func read() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(master, &bytes, bytes.count)
            guard count > 0 else { return }
            screen += String(decoding: bytes[..<count], as: UTF8.self).replacingOccurrences(of: "\r", with: "")
        }
    }
}

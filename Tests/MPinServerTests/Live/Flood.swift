// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A process that opens many connections and sends nothing.
struct Flood {
    struct NotReady: Error {}

    private static let program = """
        import socket, sys
        count, address, source = int(sys.argv[1]), sys.argv[2], sys.argv[3]
        kept = []
        for number in range(count):
            if source:
                kept.append(socket.create_connection(("127.0.0.1", int(address)), source_address=(source, 0)))
            else:
                kept.append(socket.socket(socket.AF_UNIX))
                kept[-1].connect(address)
        print("ready", flush=True)
        sys.stdin.read()
        """

    private let process = Process()
    private let input = Pipe()

    /// Opens them from an address of this host.
    init(_ count: Int, from source: String, port: UInt16) throws {
        try start([], ["\(count)", "\(port)", source])
    }

    /// Opens them as another user.
    init(_ count: Int, asUser user: UInt32, socket: String) throws {
        try start(
            ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"], ["\(count)", socket, ""])
    }

    private func start(_ launcher: [String], _ arguments: [String]) throws {
        let words = launcher + ["/usr/bin/python3", "-c", Self.program] + arguments
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        let output = Pipe()
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard line.hasPrefix("ready") else { throw NotReady() }
    }

    /// Closes them.
    func end() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

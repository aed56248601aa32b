// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A site's application that verifies who registers, as a process that goes away with this; see application.py.
final class HookPeer: Companion {
    let port: Int
    private let log: String

    /// - Parameter socket: where the login server will listen.
    init(socket: String) throws {
        port = Int.random(in: 10_000..<32_000)
        log = socket + ".questions"
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "application.py")
        try super.init(["/usr/bin/python3", "-I", script.path, String(port), log, socket], ready: nil)
        _ = becomes { isListening }
        guard isListening else { throw NotReady() }
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: log)
    }

    /// The questions to it, and the results of its activations.
    var questions: [[String: Any]] {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    private var isListening: Bool {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(file) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

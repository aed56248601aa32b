// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers

/// A false TPM: it listens on a socket and gives the same answer to every command.
final class ScriptedTPM: @unchecked Sendable {
    let path = "/tmp/mpin-tpm-\(UUID().uuidString.prefix(8))"
    private let listener: Int32

    /// - Parameter answer: empty: the connection is closed in its place.
    init(answer: [UInt8]) throws {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        let bound = SocketAddress.file(path).pass { bind(listener, $0, $1) }
        guard bound == 0, listen(listener, 5) == 0 else { throw CocoaError(.fileWriteUnknown) }
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                if connection < 0 { return }
                var command = [UInt8](repeating: 0, count: 4096)
                while read(connection, &command, command.count) > 0, !answer.isEmpty {
                    if send(connection, answer, answer.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL)) < 0 { break }
                }
                close(connection)
            }
        }
    }

    deinit {
        // Wakes the thread, which ends.
        shutdown(listener, Int32(SHUT_RDWR))
        unlink(path)
    }
}

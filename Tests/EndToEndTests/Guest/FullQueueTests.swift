// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// A Unix socket whose queue of connections is full.
    @Suite struct FullQueueTests {
        /// Any local user can fill the queue; a login waits for a place in it.
        @Test func `is waited for`() throws {
            let machine = try Machine()
            try machine.register()
            machine.pause()
            let isFull = fill(machine.socket)
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                usleep(700_000)
                machine.resume()
                done.signal()
            }
            let run = try machine.probe("try", pins: ["4962"])
            done.wait()
            #expect(isFull)
            #expect(run.lines == ["PAM_SUCCESS"], "\(run.all)")
        }

        /// Connects until the queue is full. A connection is closed, and keeps its place until it is accepted.
        private func fill(_ path: String) -> Bool {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            for _ in 0..<5000 {
                let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
                defer { close(connection) }
                let result = withUnsafePointer(to: address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        connect(connection, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                    }
                }
                if result != 0 { return errno == EAGAIN }
            }
            return false
        }
    }
}

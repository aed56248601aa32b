// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A connection as a peer has it that keeps to no rules. Used by one thread at a time.
final class Line {
    let file: Int32

    init(_ peer: SocketPeer) throws { file = try peer.connect() }

    deinit { close(file) }

    /// Sends what the socket takes.
    ///
    /// - Returns: how many bytes it took; -1 when it is closed.
    @discardableResult
    func send(_ text: String) -> Int { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Int {
        unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
    }

    /// Bytes that wait to be read.
    var waiting: Int32 {
        var count: Int32 = 0
        unsafe ioctl(file, UInt(FIONREAD), &count)
        return count
    }

    /// Reads until the other side closes.
    ///
    /// - Parameter seconds: for which to wait.
    /// - Returns: what came; nil when the other side did not close in time.
    func rest(seconds: Double = 120) -> String? {
        let end = ContinuousClock.now + .seconds(seconds)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while ContinuousClock.now < end {
            var state = pollfd(file: file)
            guard unsafe poll(&state, 1, 100) > 0 else { continue }
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(file, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer.prefix(count)
        }
        return nil
    }

    /// Whether the other side has closed. Reads nothing.
    var isClosed: Bool {
        // POLLRDHUP, which Glibc's module lacks.
        var state = pollfd(fd: file, events: 0x2000, revents: 0)
        return unsafe poll(&state, 1, 0) > 0
    }

    /// Whether the other side closes without anything being read.
    func hangsUp(seconds: Double) -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            var state = pollfd(file: file)
            _ = unsafe poll(&state, 1, 100)
            if state.revents & Int16(POLLHUP | POLLERR) != 0 { return true }
            usleep(100_000)
        }
        return false
    }
}

extension pollfd {
    fileprivate init(file: Int32) { self.init(fd: file, events: Int16(POLLIN), revents: 0) }
}

/// Whether something comes true, asked again and again for a while.
func becomes(seconds: Double = 120, _ isTrue: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
        if try isTrue() { return true }
        usleep(50_000)
    }
    return false
}

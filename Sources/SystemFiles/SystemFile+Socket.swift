// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension SystemFile {
    /// - Parameter patience: how many seconds each call may wait; 0 for no limit.
    package static func socket(
        _ path: String, type: UInt32 = SOCK_STREAM.rawValue, patience: Int = 0
    ) throws(SystemError) -> SystemFile {
        let descriptor = Glibc.socket(AF_UNIX, Int32(type | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError() }
        let file = SystemFile(adopting: descriptor, path: path)
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { throw SystemError(ENOENT) }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, size) }
        }
        guard result == 0 else { throw SystemError() }
        return file
    }

    /// The user whose process listens on this socket, as the kernel reports it; nil if it does not.
    package var peer: UInt32? {
        // `struct ucred`: process, user and group. Glibc declares it only with _GNU_SOURCE.
        var peer: [UInt32] = [0, .max, .max]
        var size = socklen_t(12)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0, size == 12 else { return nil }
        return peer[1]
    }

    /// Sends a text that fits into the socket's buffer.
    ///
    /// - Returns: whether all of it was sent.
    package func send(_ text: String) -> Bool {
        unsafe Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

/// The service manager that has started this process, by the protocol of sd_notify(3): a datagram socket that takes
/// lines.
struct ServiceManager: Sendable {
    /// The value of `NOTIFY_SOCKET`: a path, or the name of an abstract socket after `@`.
    private let address: [UInt8]
    /// The interval in which the manager expects a sign of life; nil if it does not watch this process.
    let watchdog: Duration?

    /// Nil if there is no manager to notify, and for other kinds of sockets.
    init?(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        let name = Array((environment["NOTIFY_SOCKET"] ?? "").utf8)
        guard name.count > 1, name.count < 108, let first = name.first,
            [UInt8(ascii: "/"), UInt8(ascii: "@")].contains(first)
        else { return nil }
        address = name
        watchdog = Self.watchdog(environment)
    }

    private static func watchdog(_ environment: [String: String]) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0 else {
            return nil
        }
        // The variables may have been meant for the parent of this process.
        if let process = environment["WATCHDOG_PID"], Int32(process) != getpid() { return nil }
        return .microseconds(microseconds)
    }

    func ready(_ status: String) { notify("READY=1", "STATUS=\(status)") }

    /// Reports that the server reads its configuration again. ``ready(_:)`` follows.
    func reloading() {
        var now = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
        notify("RELOADING=1", "MONOTONIC_USEC=\(microseconds)", "STATUS=reloading the configuration")
    }

    func stopping() { notify("STOPPING=1", "STATUS=stopping") }

    func alive() { notify("WATCHDOG=1") }

    /// - Parameter status: one line.
    func tell(status: String) { notify("STATUS=\(status)") }

    /// Sends one datagram. The server continues even if the manager is gone.
    private func notify(_ lines: String...) {
        let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return }
        defer { close(file) }
        // Waits for a manager whose queue is full, but not indefinitely.
        var patience = timeval(tv_sec: 2, tv_usec: 0)
        _ = unsafe setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        unsafe Swift.withUnsafeMutableBytes(of: &target.sun_path) { path in
            unsafe path.copyBytes(from: address)
            if address.first == UInt8(ascii: "@") { unsafe path[0] = 0 }
        }
        // An abstract name ends with the address, and may contain zero bytes.
        let prefix = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: target.sun_path)
        let size = socklen_t(prefix + address.count)
        let message = Array(lines.joined(separator: "\n").utf8)
        _ = unsafe message.withUnsafeBytes { message in
            unsafe withUnsafePointer(to: &target) { target in
                unsafe target.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
                    unsafe sendto(file, message.baseAddress, message.count, Int32(MSG_NOSIGNAL), target, size)
                }
            }
        }
    }
}

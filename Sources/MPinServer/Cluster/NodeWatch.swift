// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import MPinServerRoles
internal import MPinServerStorage
import Synchronization
internal import SystemFiles

/// Writes the row of this server in a shared database every few seconds, and knows whether the server may answer logins.
///
/// A balancer moves on to the next node while ``fault`` is set: the database does not confirm writes, the clocks differ,
/// or another server has the same name.
final class NodeWatch: Sendable {
    static let interval = Duration.seconds(5)
    /// After this time without a confirmed write, the node is not healthy.
    private static let patience = Duration.seconds(10)

    private struct State {
        var confirmed: ContinuousClock.Instant
        var isReplaced = false
        /// Why the last write failed; nil if it did not.
        var reason: String?
        /// The fault that the log has.
        var logged: String?
        /// The host of the database that the log has.
        var primary: String?
    }

    private let server: any RequestServer
    private var clock: NodeClock { server.opened.nodeClock }
    private let name: String
    private let instance = Int64.random(in: 1...Int64.max)
    private let state: Mutex<State>

    /// Takes the row of this node.
    ///
    /// - Returns: nil unless the database is shared.
    init?(_ server: any RequestServer) throws(ServerError) {
        guard server.opened.store.isShared else { return nil }
        self.server = server
        name = server.opened.directory.nodeName
        state = Mutex(State(confirmed: .now))
        try measure()
        _ = try server.opened.store.recordNode(report, takesOver: true)
        state.withLock { $0.primary = server.opened.store.primary }
    }

    /// Why a balancer must not use this node; nil if it may.
    var fault: String? {
        let state = state.withLock { $0 }
        if state.isReplaced { return "another server writes to the database as '\(name)'" }
        if clock.isWrong { return "the clock differs from the database's by \(clock.error.magnitude / 1_000) s" }
        let silence = ContinuousClock.now - state.confirmed
        guard silence > Self.patience else { return nil }
        let reason = state.reason.map { ": \($0)" } ?? ""
        return "the database has confirmed no write for \(silence.components.seconds) s\(reason)"
    }

    /// Writes the row again. After an error, the next call tries again. Blocks while the database does not answer.
    func renew() {
        server.opened.store.lookForPrimary()
        do throws(ServerError) {
            try measure()
            let isOurs = try server.opened.store.recordNode(report, takesOver: false)
            state.withLock { state in
                state.isReplaced = !isOurs
                state.reason = nil
                if isOurs { state.confirmed = .now }
            }
        } catch { state.withLock { $0.reason = error.message } }
        if let primary = server.opened.store.primary, primary != state.withLock(\.primary) {
            state.withLock { $0.primary = primary }
            server.opened.logger.notice("the database's primary is \(primary) now")
        }
        let (before, now) = (state.withLock(\.logged), fault)
        guard (before == nil) != (now == nil) else { return }
        state.withLock { $0.logged = now }
        if let now {
            server.opened.logger.error("this node is not healthy: \(now)", metadata: ["node": "\(name)"])
        } else {
            server.opened.logger.notice("this node is healthy again", metadata: ["node": "\(name)"])
        }
    }

    /// Writes that the node stops in order. If that fails, the node counts as running for 30 more seconds.
    func end() { try? server.opened.store.recordStop(report) }

    private var report: NodeReport {
        NodeReport(
            name: name, instance: instance, settings: server.configuration.countSettings,
            clockError: clock.error)
    }

    /// Measures how far the clock is ahead of the database's. A slow answer makes the measurement inexact by at most half
    /// its duration, which is subtracted.
    private func measure() throws(ServerError) {
        let before = server.opened.clock.now.milliseconds
        let time = try server.opened.store.databaseTime()
        let after = server.opened.clock.now.milliseconds
        let (difference, uncertainty) = ((before + after) / 2 &- time, max(0, after - before) / 2)
        clock.error = difference.signum() &* max(0, Int64(clamping: difference.magnitude) - uncertainty)
    }
}

extension ServerDirectory {
    /// The name of this server among the nodes of a database: the host, with the directory unless it is the installed
    /// one.
    var nodeName: String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let isRead = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe bytes.baseAddress.map { unsafe gethostname($0, bytes.count - 1) == 0 } ?? false
        }
        let host = isRead ? String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) : "localhost"
        return path == Self.installed ? host : "\(host):\(FileName.absolute(path))"
    }

    /// Makes sure that no other node runs, before a change that a running server would not notice.
    ///
    /// - Throws: ``ServerError`` of kind `unavailable`, with the names of the nodes.
    func demandAlone(_ store: ServerStorage) throws(ServerError) {
        let others = try store.nodes().filter { $0.isRunning && $0.name != nodeName }.map(\.name)
        guard others.isEmpty else {
            throw ServerError(
                .unavailable, "other servers use this database: \(others.joined(separator: ", "))",
                hint: "Nothing was changed. Stop mpin-server there. A killed server counts as stopped after 30 s.")
        }
    }
}

extension ServerConfiguration {
    /// The settings that decide counts. Nodes with different ones count differently.
    var countSettings: String {
        """
        max_invalid_login_attempts = \(roles.maxInvalidLoginAttempts), \
        max_recent_wrong_attempts = \(roles.maxRecentWrongAttempts), legacy = \(roles.legacy.rawValue)
        """
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import MPinServerRoles
internal import MPinServerStorage

/// A server behind a listener: a complete server, or an authority alone.
///
/// It does not use sockets: ``route(_:)`` answers all requests. The other members are for the process that runs it.
protocol RequestServer: AnyObject, Sendable {
    var opened: OpenedDirectory { get }
    /// The public address; empty if there is none.
    var publicURL: String { get }
    var configuration: ServerConfiguration { get }
    /// A request that involves all of the server and changes nothing, and the status of its answer.
    var probe: (target: String, status: Int) { get }
    var queueLengths: [String: Int] { get }
    /// The key with which it proves itself; nil for an authority.
    var signingKey: ServerSigningKey? { get }

    /// Finds the code that answers a request under the present configuration.
    func route(_ request: Request) -> RoutedRequest
    /// Applies another configuration from the next request on, except for settings that need a restart.
    ///
    /// - Throws: ``ServerError`` if it cannot be used. Then nothing has changed.
    func apply(_ wanted: ServerConfiguration) throws(ServerError) -> ConfigurationChange
    /// Writes audit events and other queued data.
    func flush()
    /// Writes them for the last time.
    func finish()
}

extension RequestServer {
    var role: ServerRole { opened.role }
    var metrics: ServerMetrics { opened.metrics }

    /// Deletes expired rows, and looks for a new backup and for a clock that was ahead. What fails is retried the next time.
    func maintain() {
        guard !opened.nodeClock.isWrong else { return }
        let (now, days) = (opened.clock.now, Int64(configuration.auditDays))
        do throws(ServerError) {
            try opened.store.purgeExpired(now: now, oldestEvent: days > 0 ? now.adding(seconds: -days * 86_400) : nil)
        } catch { opened.logger.warning("cannot delete expired data", metadata: ["reason": "\(error.message)"]) }
        if let fault = try? clockFault() { opened.logger.warning("\(fault)") }
        // Not with each request for metrics, because it searches the audit log.
        if let backup = try? opened.store.lastEvent(.backedUp) { metrics.noteBackup(backup.time) }
    }

    func note(_ action: AuditAction, actor: String) {
        opened.audit.add(AuditEvent(action, at: opened.clock.now, actor: actor))
    }

    /// The status of an immediate answer; 0 for a deferred one.
    func status(of routed: RoutedRequest) -> Int {
        if case .now(let response) = routed.result() { response.status } else { 0 }
    }

    func readDatabase() throws(ServerError) { _ = try opened.store.identity() }

    /// Reads the name of the server from the database, and checks that its files are still where the next start expects
    /// them.
    func checkDatabase() throws(ServerError) {
        try readDatabase()
        try opened.checkFiles()
    }

    private func clockFault() throws(ServerError) -> String? {
        ClockFault.text(try opened.store.latestTimes(areInForce: true), at: opened.clock.now)
    }

    func checkClock() throws(ServerError) {
        if let fault = try clockFault() { throw ServerError(.unavailable, fault) }
    }

    func checkWriting() throws(ServerError) { try opened.store.checkWriting() }

    func openMasterShare(_ number: Int) throws(ServerError) { _ = try opened.vault.masterShare(number) }

    func blockedUsers() throws(ServerError) -> Int {
        try opened.store.blockedUsers(limits: configuration.roles.attemptLimits, now: opened.clock.now.seconds)
    }
}

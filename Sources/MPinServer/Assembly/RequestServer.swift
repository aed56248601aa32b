internal import Logging
internal import MPinServerRoles
internal import MPinServerStorage

/// What a listener serves: a whole server, or an authority by itself.
///
/// It knows nothing of sockets: ``route(_:)`` is all there is to it. The rest is for those who run it.
protocol RequestServer: AnyObject, Sendable {
    var opened: OpenedDirectory { get }
    /// The address the world sees; empty where there is none.
    var publicURL: String { get }
    /// The configuration that requests are answered by.
    var configuration: ServerConfiguration { get }
    /// A request that passes all of the server and changes nothing, and the status of its answer.
    var probe: (target: String, status: Int) { get }
    /// What waits, by the name of its queue.
    var queueLengths: [String: Int] { get }

    /// Finds what takes a request under the configuration of this moment.
    func route(_ request: Request) -> RoutedRequest
    /// Applies another configuration from the next request on, as far as that is possible without a restart.
    ///
    /// - Throws: ``ServerError`` where it cannot be used; then nothing has changed.
    func apply(_ wanted: ServerConfiguration) throws(ServerError) -> ConfigurationChange
    /// Writes audit events, and whatever else waits.
    func flush()
    /// The same for the last time.
    func finish()
}

extension RequestServer {
    var role: ServerRole { opened.role }
    var metrics: ServerMetrics { opened.metrics }

    /// Deletes expired rows. Rows that cannot be deleted now are retried the next time.
    func clearAway() {
        let (now, days) = (opened.clock.now, Int64(configuration.auditDays))
        do throws(ServerError) {
            try opened.store.purgeExpired(now: now, oldestEvent: days > 0 ? now.adding(seconds: -days * 86_400) : nil)
        } catch {
            opened.logger.warning("cannot delete expired data", metadata: ["reason": "\(error.message)"])
        }
    }

    /// Notes that the server begins or ends.
    func note(_ action: AuditAction, actor: String) {
        opened.audit.add(AuditEvent(action, at: opened.clock.now, actor: actor))
    }

    /// The status of the answer to a request that is answered at once; 0 for another.
    func status(of routed: RoutedRequest) -> Int {
        if case .now(let response) = routed.result() { response.status } else { 0 }
    }

    /// Reads the name of the server from the database.
    func readDatabase() throws(ServerError) {
        _ = try opened.store.identity()
    }

    /// The same, and makes sure that the file is still where the next start looks for it.
    func checkDatabase() throws(ServerError) {
        try readDatabase()
        guard FileIdentity(of: opened.directory.database) == opened.databaseIdentity else {
            throw ServerError(.storage, "the file was deleted or replaced")
        }
    }

    /// Opens a master share of the database with the key.
    func openMasterShare(_ number: Int) throws(ServerError) {
        _ = try opened.vault.masterShare(number)
    }

    /// Users with a device that wrong PINs block.
    func blockedUsers() throws(ServerError) -> Int {
        try opened.store.blockedUsers(limits: configuration.roles.attemptLimits, now: opened.clock.now.seconds)
    }
}

internal import Logging
internal import MPinServerRoles
internal import MPinServerStorage

/// The directory of a server that is being served, whatever its role: its database, its key, and what goes on there.
struct OpenedDirectory: Sendable {
    /// How long a request waits while another process holds the lock of the database.
    private static let patience = Duration.seconds(1)

    let directory: ServerDirectory
    /// The file of the database when it was opened.
    let databaseIdentity: FileIdentity?
    let vault: Vault
    let role: ServerRole
    let audit: Audit
    let clock: ServerClock
    let logger: Logger
    /// What is counted in this process.
    let metrics: ServerMetrics

    var store: any ServerStorage { vault.store }

    init(_ directory: ServerDirectory, clock: ServerClock, logger: Logger) throws(ServerError) {
        self.directory = directory
        let metrics = ServerMetrics()
        let store = try SQLiteStorage(
            path: directory.database, patience: Self.patience, onCommit: { metrics.commits.add($0) })
        databaseIdentity = FileIdentity(of: directory.database)
        role = try store.role()
        vault = Vault(store, try directory.readKey(for: store))
        self.metrics = metrics
        audit = Audit(store: store, logger: logger, clock: clock)
        self.clock = clock
        self.logger = logger
    }
}

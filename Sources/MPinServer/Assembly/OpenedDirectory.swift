internal import Logging

/// The directory of a server that is being served, whatever its role: its database, its key, and what goes on there.
struct OpenedDirectory: Sendable {
    /// How long a request waits while another process holds the lock of the database.
    private static let patience = Duration.seconds(1)

    let directory: ServerDirectory
    /// The file of the database when it was opened.
    let databaseIdentity: CopiedFile.FileIdentity?
    let store: Store
    let root: SealKey
    let role: ServerRole
    let audit: Audit
    let clock: ServerClock
    let logger: Logger

    init(_ directory: ServerDirectory, clock: ServerClock, logger: Logger) throws(ServerFault) {
        self.directory = directory
        store = try Store(path: directory.database, patience: Self.patience)
        databaseIdentity = CopiedFile.identity(directory.database)
        role = try store.role()
        root = try directory.readKey(for: store)
        audit = Audit(store: store, logger: logger, clock: clock)
        self.clock = clock
        self.logger = logger
    }
}

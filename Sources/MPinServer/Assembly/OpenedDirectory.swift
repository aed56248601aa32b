// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import MPinServerRoles
internal import MPinServerStorage
internal import SystemFiles

/// The directory that is being served, in any role: its storage, its key, and the state of serving it.
struct OpenedDirectory: Sendable {
    /// How long a request waits while another process holds the lock of the database.
    private static let patience = Duration.seconds(1)

    let directory: ServerDirectory
    /// The files of the database at the start.
    private let files: [FileIdentity?]
    let vault: Vault
    let role: ServerRole
    let audit: Audit
    let clock: ServerClock
    let nodeClock = NodeClock()
    let logger: Logger
    let metrics: ServerMetrics

    var store: ServerStorage { vault.store }

    init(_ directory: ServerDirectory, clock: ServerClock, logger: Logger) throws(ServerError) {
        self.directory = directory
        let metrics = ServerMetrics()
        let store = try directory.storage(
            .serving(patience: Self.patience, onCommit: { metrics.commits.add($0) }))
        if store.isShared, FileFacts.isThere(directory.database) {
            throw ServerError(
                .configuration, "\(directory.database) is still there, but PostgreSQL stores this server",
                hint: "If 'move' was interrupted, run it again: mpin-server move\nOtherwise move the file away.")
        }
        role = try store.role()
        // SQLite has made all of them by now.
        files = Self.files(of: directory)
        vault = Vault(store, try directory.readKey(for: store))
        self.metrics = metrics
        audit = Audit(store: store, logger: logger, clock: clock)
        self.clock = clock
        self.logger = logger
    }

    private static func files(of directory: ServerDirectory) -> [FileIdentity?] {
        ["", "-wal", "-shm"].map { FileIdentity(of: directory.database + $0) }
    }

    /// Checks that the next start finds the database where it is now.
    func checkFiles() throws(ServerError) {
        guard Self.files(of: directory) == files else {
            throw ServerError(.storage, "the file was deleted or replaced")
        }
        // Not over an existing connection, which may remember the former content of a file that was overwritten.
        if !store.isShared { _ = try directory.storage(.reading) }
    }
}

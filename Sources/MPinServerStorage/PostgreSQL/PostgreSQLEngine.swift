// SPDX-License-Identifier: Apache-2.0
internal import CPostgreSQL
internal import Dispatch
import Synchronization

/// The tables in a PostgreSQL database, which several servers may use at the same time.
///
/// All transactions run at READ COMMITTED. Those of logins decide by the columns of one row, which the statements of
/// ``LoginStatements`` lock. All others take one lock first, so that they run one after another.
final class PostgreSQLEngine: StorageEngine {
    enum Access {
        case using
        /// Makes the tables, and fills them in the same transaction.
        case creating(_ fill: @Sendable (PostgreSQLConnection) throws -> Void)
    }

    /// Milliseconds that an operation may take.
    static let patience: Int64 = 4_000
    /// How often an operation runs that the database has ended because of a deadlock.
    private static let tries = 5
    private static let connections = 32
    /// The lock of all changes that are not logins: "MPIN". Nothing else may use this number in the database.
    private static let lock = "SELECT pg_advisory_xact_lock(1297107278)"

    private let search: PrimarySearch
    private let pool: PostgreSQLPool
    private let looking = DispatchQueue(label: "mpin-server.postgresql.look")
    private let isLooking = Mutex(false)
    private let onCommit: @Sendable (Duration) -> Void

    init(
        _ address: PostgreSQLAddress, password: String?, newest: TimelineFile, access: Access,
        onCommit: @escaping @Sendable (Duration) -> Void
    ) throws(ServerError) {
        self.onCommit = onCommit
        let search = PrimarySearch(address, password: password, newest: newest)
        self.search = search
        pool = PostgreSQLPool(size: Self.connections) { try search.connect() }
        if case .creating(let fill) = access {
            let isMade = try transaction("BEGIN; \(Self.lock)", isWriting: true) { connection in
                guard let connection = connection as? PostgreSQLConnection, try !Schema.isThere(connection) else {
                    return false
                }
                try connection.executeText(Schema.postgreSQL)
                try fill(connection)
                return true
            }
            guard isMade else {
                throw ServerError(
                    .cannotCreate, "the database \(address.text) contains a server already",
                    hint: "Nothing was changed. Name an empty database.\n"
                        + "Or join that server: mpin-server join --key FILE")
            }
        }
        let version: String? = try readOnce { connection in
            guard try Schema.isThere(connection) else { return nil }
            return try connection.value("SELECT value FROM setting WHERE name = ?", [Schema.versionSetting])
        }
        guard let version else {
            throw ServerError(
                .configuration, "the database \(address.text) does not contain a server",
                hint: "Check the setting 'database'. Or create a server there: mpin-server init\n"
                    + "Or move this host's server there: mpin-server move")
        }
        guard version == String(Schema.version) else { throw Schema.otherVersion("the database \(address.text)") }
    }

    let isShared = true

    var primary: String? { search.host }

    func lookForPrimary() {
        guard search.hasSeveralHosts else { return }
        let begins = isLooking.withLock { isLooking in
            defer { isLooking = true }
            return !isLooking
        }
        guard begins else { return }
        looking.async { [self] in
            defer { isLooking.withLock { $0 = false } }
            do { _ = pool.adopt(try search.look(), isOnlyOne: true) } catch {
                if search.hasConflict { pool.reject() }
            }
        }
    }

    var waitingWrites: Int { pool.waiting }

    func read<Result: Sendable>(
        _ body: @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result {
        try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isWriting: false, body)
    }

    func readOnce<Result: Sendable>(
        _ body: @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result {
        try transaction(nil, isWriting: false, body)
    }

    func write<Result: Sendable>(
        _ body: @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result {
        try transaction("BEGIN; \(Self.lock)", isWriting: true, body)
    }

    func append(_ body: @escaping @Sendable (any Connection) throws -> Void) throws(ServerError) {
        try transaction("BEGIN", isWriting: true, body)
    }

    func writeLogin<Result: Sendable>(
        _ durability: Durability, _ body: @escaping @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result {
        // Neither the disk nor a standby is waited for then.
        let begin = durability == .disk ? "BEGIN" : "BEGIN; SET LOCAL synchronous_commit = off"
        return try transaction(begin, isWriting: true, isRepeatable: true, body)
    }

    func writeLoginOnce<Result: Sendable>(
        _ body: @Sendable (any Connection) throws -> Result?
    ) throws(ServerError) -> Result? {
        try transaction(nil, isWriting: true, isRepeatable: true) { connection -> Result? in
            do { return try body(connection) } catch let error as PostgreSQLError where error.state == "23505" {
                return nil
            }
        }
    }

    /// Dead rows stay until PostgreSQL removes them, and in its log of writes.
    func overwriteDeleted() {}
    func finishOverwriting() {}

    func copy(to path: String, mark: Parameters) throws(ServerError) {
        throw ServerError(
            .configuration, "PostgreSQL makes the backups of this server",
            hint: "Use its tools, such as pg_basebackup. The key of the server is not in the database: copy it too.")
    }

    func close() { pool.closeAll() }

    /// - Parameter isRepeatable: whether it may run again after it may have been committed.
    private func transaction<Result: Sendable>(
        _ begin: String?, isWriting: Bool, isRepeatable: Bool = false,
        _ body: @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result {
        let deadline = mpin_pg_now() + Self.patience
        var isNew = false
        var triesLeft = Self.tries
        while true {
            triesLeft -= 1
            do {
                let connection = try pool.take(isNew: isNew, deadline: deadline, now: mpin_pg_now())
                defer { pool.give(connection) }
                connection.deadline = deadline
                var isCommitting = false
                do {
                    if let begin { try connection.executeText(begin) }
                    let result = try body(connection)
                    guard begin != nil else { return result }
                    let start = ContinuousClock.now
                    isCommitting = true
                    try connection.executeText("COMMIT")
                    if isWriting { onCommit(.now - start) }
                    return result
                } catch {
                    if !connection.isBroken, begin != nil { try? connection.executeText("ROLLBACK") }
                    guard let fault = error as? PostgreSQLError else { throw error }
                    let isUnknown = isWriting && isCommitting && fault.cause != .refused
                    // An idle connection may have been lost before this use of it.
                    let isLost = fault.cause == .lost || fault.isUnconfirmed
                    if fault.cause == .lost { isNew = true }
                    let isAgain =
                        fault.isDeadlock || isLost && (isRepeatable || !isWriting || begin != nil && !isCommitting)
                    guard isAgain, triesLeft > 0, mpin_pg_now() < deadline else {
                        throw isUnknown && !isRepeatable ? Self.unknownCommit(fault) : fault
                    }
                }
            } catch { throw Self.fault(error) }
        }
    }

    private static func unknownCommit(_ fault: PostgreSQLError) -> ServerError {
        ServerError(
            .unavailable, "the database did not confirm the change: \(fault.message)",
            hint: "It may have been made. Check the present state before you try again.")
    }

    /// How to fix what prevents a connection, if libpq's text says it.
    private static func hint(_ reason: String) -> String {
        if reason.contains("certificate verify failed") {
            return
                "Copy the CA of its certificate to /usr/local/share/ca-certificates.\nThen run: sudo update-ca-certificates"
        }
        return reason.contains("password authentication failed") ? "Check the setting 'database_password_file'." : ""
    }

    static func fault(_ error: any Error) -> ServerError {
        if let fault = error as? ServerError { return fault }
        guard let error = error as? PostgreSQLError else { return ServerError(.storage, "the database failed") }
        // Those about connections have several lines.
        let lines = error.message.split(whereSeparator: \.isNewline).map { $0.drop { $0 == "\t" } }
        let reason = lines.joined(separator: "; ")
        return switch (error.cause, error.state) {
        case (.lost, ""): ServerError(.unavailable, "the database cannot be reached: \(reason)", hint: hint(reason))
        case (.late, _), (.lost, _), (_, "53300"), (_, "57P03"), (_, "55P03"), (_, "57014"):
            ServerError(.unavailable, "the database does not answer: \(reason)")
        case (_, "25006"): ServerError(.notPermitted, "the database is not writable: \(reason)")
        case (_, "42501"): ServerError(.notPermitted, "the role has no rights to the tables: \(reason)")
        default: ServerError(.storage, "the database failed: \(reason)")
        }
    }
}

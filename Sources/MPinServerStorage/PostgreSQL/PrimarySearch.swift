// SPDX-License-Identifier: Apache-2.0
internal import CPostgreSQL
import Synchronization

/// Finds the primary among the hosts of an address.
///
/// An old primary, which another one has replaced, accepts writes too. So the one on the newest timeline is used, and
/// none that is behind the one that this host has used.
final class PrimarySearch: Sendable {
    private struct State {
        /// The place of the primary among the hosts; nil before it was found.
        var host: Int?
        var conflict: ServerError?
        /// The newest position that was seen; nil before that.
        var position: TimelineFile.LogPosition?
    }

    private let address: PostgreSQLAddress
    private let password: String?
    private let newest: TimelineFile
    private let state = Mutex(State())

    init(_ address: PostgreSQLAddress, password: String?, newest: TimelineFile) {
        (self.address, self.password, self.newest) = (address, password, newest)
    }

    /// The host of the primary that was found last.
    var host: String? { state.withLock { $0.host.map { address.hosts[$0] } } }

    var hasConflict: Bool { state.withLock { $0.conflict != nil } }

    var hasSeveralHosts: Bool { address.hosts.count > 1 }

    /// Connects to the primary that was found last, or looks at the other hosts if that fails.
    func connect() throws -> PostgreSQLConnection {
        let (last, conflict) = state.withLock { ($0.host, $0.conflict) }
        if let conflict { throw conflict }
        guard let last else { return try look() }
        do {
            let connection = try connect(to: last)
            try record(connection.position, isExact: false)
            return connection
        } catch { return try look(after: error, at: last) }
    }

    /// Looks at all hosts, and then decides.
    ///
    /// - Parameters:
    ///   - fault: why the connection to `failed` was not made.
    ///   - failed: a host that was just tried.
    func look(after fault: (any Error)? = nil, at failed: Int? = nil) throws -> PostgreSQLConnection {
        let isWhole = failed == nil
        var found: [(host: Int, connection: PostgreSQLConnection)] = []
        var faults = [fault].compactMap(\.self)
        for host in address.hosts.indices where host != failed {
            do { found.append((host, try connect(to: host))) } catch { faults.append(error) }
        }
        let newest = found.map(\.connection.position.timeline).max()
        let primaries = found.filter { $0.connection.position.timeline == newest }
        guard let primary = primaries.first else {
            if let fault = faults.first(where: { $0 is ServerError }) { throw fault }
            throw PostgreSQLError(
                cause: .lost, state: "",
                message: faults.map { ($0 as? PostgreSQLError)?.message ?? "" }.joined(separator: "; "))
        }
        let isOne = primaries.allSatisfy { $0.connection.serverStart == primary.connection.serverStart }
        let conflict = isOne ? nil : Self.conflict(primary.connection.position.timeline)
        state.withLock { state in
            if isOne { state.host = primary.host }
            if isWhole || conflict != nil { state.conflict = conflict }
        }
        if let conflict { throw conflict }
        try record(primary.connection.position, isExact: isWhole)
        return primary.connection
    }

    /// The error for two hosts that were promoted on the same timeline: either of them may lack what the other has.
    private static func conflict(_ timeline: Int64) -> ServerError {
        ServerError(
            .unavailable, "two hosts are primaries on timeline \(timeline)",
            hint: "Stop one of them, and rebuild it as a standby.")
    }

    /// Connects, unless the host is behind the primary that was used before.
    private func connect(to host: Int) throws -> PostgreSQLConnection {
        // Before the server says how far it is, because it moves on meanwhile.
        let known = [try newest.position, state.withLock(\.position)].compactMap(\.self)
        let connection = try PostgreSQLConnection(address.settings(host, password: password))
        try check(connection)
        for known in known { try newest.demand(connection.position, notBefore: known, host: address.hosts[host]) }
        return connection
    }

    /// Remembers how far the primary is. Called only if there is no other one, which would count as behind from then on.
    private func record(_ position: TimelineFile.LogPosition, isExact: Bool) throws {
        try newest.advance(to: position, isExact: isExact)
        state.withLock { state in
            if state.position.map({ $0.isBefore(position) }) ?? true { state.position = position }
        }
    }

    /// Checks a new connection, and reads which server it leads to.
    private func check(_ connection: PostgreSQLConnection) throws {
        connection.deadline = mpin_pg_now() + PostgreSQLEngine.patience
        // The control file would have the timeline only after the next checkpoint.
        let row = try connection.row(
            """
            SELECT version() AS version, CAST(current_setting('server_version_num') AS bigint) AS number,
                pg_walfile_name(pg_current_wal_lsn()) AS file, system_identifier AS system,
                CAST(pg_current_wal_flush_lsn() - '0/0' AS bigint) AS flushed,
                CAST(pg_postmaster_start_time() AS text) AS server, current_setting('server_encoding') AS encoding
            FROM pg_control_system()
            """)
        guard let row else { throw ServerError(.storage, "the database failed") }
        let (version, number, file): (String, Int, String) = try (row["version"], row["number"], row["file"])
        // Others that speak its protocol have other locks and isolation.
        guard version.hasPrefix("PostgreSQL "), !version.contains("-YB-"), number >= 150_000,
            let timeline = Int64(file.prefix(8), radix: 16)
        else {
            throw ServerError(
                .configuration, "the database is not PostgreSQL 15 or later",
                hint: "It reports: \(version.prefix(100))")
        }
        let encoding: String = try row["encoding"]
        guard encoding == "UTF8" else {
            throw ServerError(
                .configuration, "the database has the encoding \(encoding), not UTF8",
                hint: "Create another: createdb --owner mpin --encoding UTF8 --template template0 mpin")
        }
        connection.position = try TimelineFile.LogPosition(
            system: row["system"], timeline: timeline, flushed: row["flushed"])
        connection.serverStart = try row["server"]
    }
}

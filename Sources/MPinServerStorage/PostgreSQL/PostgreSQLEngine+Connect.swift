// SPDX-License-Identifier: Apache-2.0
internal import CPostgreSQL
import Synchronization

extension PostgreSQLEngine {
    /// The primary that was found last.
    struct Primary {
        /// Its place among the hosts of the address.
        var host = 0
        /// The highest timeline that was found; 0 before the first connection. A promotion begins a new one.
        var timeline: Int64 = 0
    }

    /// Connects to a host that accepts writes, starting with the one that was found last.
    ///
    /// An old primary, which another one has replaced, accepts writes too. So the first connection looks at all hosts and
    /// takes the newest, and later ones refuse an older primary than that.
    static func connect(
        _ address: PostgreSQLAddress, password: String?, primary: borrowing Mutex<Primary>
    ) throws -> PostgreSQLConnection {
        let last = primary.withLock { $0 }
        var found: PostgreSQLConnection?
        var faults: [any Error] = []
        for offset in address.hosts.indices where found == nil || last.timeline == 0 {
            let host = (last.host + offset) % address.hosts.count
            do {
                let connection = try PostgreSQLConnection(settings(address, host: host, password: password))
                try check(connection)
                guard connection.timeline >= last.timeline else {
                    throw ServerError(.unavailable, "the database is an old primary, which another one has replaced")
                }
                guard connection.timeline > found?.timeline ?? 0 else { continue }
                found = connection
                primary.withLock { $0 = Primary(host: host, timeline: connection.timeline) }
            } catch { faults.append(error) }
        }
        if let found { return found }
        if let fault = faults.first(where: { $0 is ServerError }) { throw fault }
        throw PostgreSQLError(
            cause: .lost, state: "",
            message: faults.map { ($0 as? PostgreSQLError)?.message ?? "" }.joined(separator: "; "))
    }

    /// What a connection is made with. Nothing comes from the environment or from files of the account.
    private static func settings(
        _ address: PostgreSQLAddress, host: Int, password: String?
    ) -> [(keyword: String, value: String)] {
        let options = [
            "default_transaction_isolation=read\\ committed", "default_transaction_read_only=off",
            "idle_in_transaction_session_timeout=5s", "standard_conforming_strings=on", "synchronous_commit=on",
            "client_min_messages=warning",
        ]
        let isLocal = address.hosts[host].hasPrefix("/")
        var settings = [
            ("host", address.hosts[host]), ("port", address.ports[host]),
            ("dbname", address.name), ("application_name", "mpin-server"), ("client_encoding", "UTF8"),
            ("options", options.map { "-c \($0)" }.joined(separator: " ")), ("target_session_attrs", "read-write"),
            ("connect_timeout", "2"), ("tcp_user_timeout", "5000"), ("gssencmode", "disable"),
            ("passfile", "/nonexistent"), ("sslmode", isLocal ? "disable" : "verify-full"),
            ("sslrootcert", "/etc/ssl/certs/ca-certificates.crt"),
            // The home directory may be root's, which the server's account cannot read.
            ("sslcert", "/nonexistent"), ("sslkey", "/nonexistent"), ("sslcrl", "/nonexistent"),
        ]
        if let user = address.user { settings.append(("user", user)) }
        if let password { settings.append(("password", password)) }
        return settings
    }

    /// Checks a new connection, and reads its timeline.
    private static func check(_ connection: PostgreSQLConnection) throws {
        connection.deadline = mpin_pg_now() + patience
        // The control file would have the timeline only after the next checkpoint.
        let row = try connection.row(
            """
            SELECT version() AS version, CAST(current_setting('server_version_num') AS bigint) AS number,
                pg_walfile_name(pg_current_wal_lsn()) AS file
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
        connection.timeline = timeline
    }
}

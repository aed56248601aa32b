// SPDX-License-Identifier: Apache-2.0
internal import CPostgreSQL
import Synchronization

extension PostgreSQLEngine {
    /// What a connection is made with. Nothing comes from the environment or from files of the account.
    static func settings(_ address: PostgreSQLAddress, password: String?) -> [(keyword: String, value: String)] {
        let options = [
            "default_transaction_isolation=read\\ committed", "default_transaction_read_only=off",
            "idle_in_transaction_session_timeout=5s", "standard_conforming_strings=on", "synchronous_commit=on",
        ]
        var settings = [
            ("host", address.hosts.joined(separator: ",")), ("port", address.ports.joined(separator: ",")),
            ("dbname", address.name), ("application_name", "mpin-server"), ("client_encoding", "UTF8"),
            ("options", options.map { "-c \($0)" }.joined(separator: " ")), ("target_session_attrs", "read-write"),
            ("connect_timeout", "2"), ("tcp_user_timeout", "5000"), ("gssencmode", "disable"),
            ("passfile", "/nonexistent"), ("sslmode", address.isLocal ? "disable" : "verify-full"),
            ("sslrootcert", "/etc/ssl/certs/ca-certificates.crt"),
        ]
        if let user = address.user { settings.append(("user", user)) }
        if let password { settings.append(("password", password)) }
        return settings
    }

    /// Checks a new connection.
    ///
    /// - Parameter highest: the highest timeline that was found. An older primary than that has been replaced.
    static func check(_ connection: PostgreSQLConnection, highest: borrowing Mutex<Int64>) throws {
        connection.deadline = mpin_pg_now() + patience
        let row = try connection.row(
            """
            SELECT version() AS version, CAST(current_setting('server_version_num') AS bigint) AS number,
                (SELECT CAST(timeline_id AS bigint) FROM pg_control_checkpoint()) AS timeline
            """)
        guard let row else { throw ServerError(.storage, "the database failed") }
        let (version, number, timeline): (String, Int, Int64) = try (row["version"], row["number"], row["timeline"])
        // Others that speak its protocol have other locks and isolation.
        guard version.hasPrefix("PostgreSQL "), !version.contains("-YB-"), number >= 150_000 else {
            throw ServerError(
                .configuration, "the database is not PostgreSQL 15 or later",
                hint: "It says: \(version.prefix(100))")
        }
        let isCurrent = highest.withLock { highest in
            highest = max(highest, timeline)
            return highest == timeline
        }
        guard isCurrent else {
            throw ServerError(.unavailable, "the database is an old primary, which another one has replaced")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

extension PostgreSQLAddress {
    /// What a connection to one of the hosts is made with, by the keywords of libpq. Nothing comes from the environment or
    /// from files of the account.
    func settings(_ host: Int, password: String?) -> [(keyword: String, value: String)] {
        let options = [
            "default_transaction_isolation=read\\ committed", "default_transaction_read_only=off",
            "idle_in_transaction_session_timeout=5s", "standard_conforming_strings=on", "synchronous_commit=on",
            "client_min_messages=warning", "search_path=public",
            // Shorter than an operation, so that no statement gets its lock after the node has given up.
            "lock_timeout=3s",
        ]
        let isLocal = hosts[host].hasPrefix("/")
        var settings = [
            ("host", hosts[host]), ("port", ports[host]),
            ("dbname", name), ("application_name", "mpin-server"), ("client_encoding", "UTF8"),
            ("options", options.map { "-c \($0)" }.joined(separator: " ")), ("target_session_attrs", "read-write"),
            ("connect_timeout", "2"), ("tcp_user_timeout", "5000"), ("keepalives_idle", "5"),
            ("keepalives_interval", "2"), ("keepalives_count", "3"), ("gssencmode", "disable"),
            ("passfile", "/nonexistent"), ("sslmode", isLocal ? "disable" : "verify-full"),
            ("sslrootcert", "/etc/ssl/certs/ca-certificates.crt"),
            // The home directory may be root's, which the server's account cannot read.
            ("sslcert", "/nonexistent"), ("sslkey", "/nonexistent"), ("sslcrl", "/nonexistent"),
        ]
        if let user { settings.append(("user", user)) }
        if let password { settings.append(("password", password)) }
        return settings
    }
}

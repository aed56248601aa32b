// SPDX-License-Identifier: Apache-2.0

/// The tables of a database. `init` makes them; a database with other tables is refused.
///
/// Times are whole seconds since 1970-01-01 UTC unless a column says otherwise.
enum Schema {
    /// The version of the tables. Increase it with every change of the tables.
    static let version = 6

    /// The tables, in the dialect of SQLite.
    static let tables = [server, nodes, registrations, attempts, admission, mails]

    static func otherVersion(_ name: String) -> ServerError {
        ServerError(
            .configuration, "\(name) was made by another version of mpin-server, whose format this one cannot read",
            hint: """
                Nothing was changed. Install that version, or restore a backup made by this one.
                Otherwise create a new server, and enroll every device again: mpin-server init --dir DIR
                """)
    }

    private static let server = """
        CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

        -- The master share of each authority, sealed with the key outside the database.
        CREATE TABLE authority (number INTEGER PRIMARY KEY, share BLOB NOT NULL) STRICT;

        -- Derived keys from before a rotation, sealed by the present sealing key.
        CREATE TABLE retired_key (
            id INTEGER PRIMARY KEY,
            purpose TEXT NOT NULL,
            retired INTEGER NOT NULL,
            key BLOB NOT NULL
        ) STRICT;

        -- secret: keyed hash of the secret with which a host opens waiting sessions in its name.
        CREATE TABLE host (
            name TEXT PRIMARY KEY,
            secret BLOB NOT NULL UNIQUE,
            created INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- The accounts on hosts as which users may log in over ssh.
        CREATE TABLE ssh_account (
            user_id TEXT NOT NULL,
            account TEXT NOT NULL,
            PRIMARY KEY (user_id, account)
        ) STRICT, WITHOUT ROWID;

        -- time: milliseconds. key: random, because an event is written again after a commit that was not confirmed.
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY,
            key INTEGER UNIQUE,
            time INTEGER NOT NULL,
            event TEXT NOT NULL,
            user_id TEXT,
            source TEXT,
            actor TEXT,
            detail TEXT
        ) STRICT;
        CREATE INDEX audit_by_user ON audit (user_id);
        CREATE INDEX audit_by_time ON audit (time);
        """

    private static let nodes = """
        -- The servers on a shared database, each of which writes its row every few seconds.
        -- instance: random, of one process. settings: those that decide counts, as text.
        -- time, started, stopped: milliseconds of the database's clock; stopped is null until a server has stopped in order.
        -- clock: milliseconds by which the server's clock is ahead of the database's.
        CREATE TABLE node (
            name TEXT PRIMARY KEY,
            instance INTEGER NOT NULL,
            version TEXT NOT NULL,
            settings TEXT NOT NULL,
            started INTEGER NOT NULL,
            time INTEGER NOT NULL,
            stopped INTEGER,
            clock INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static let registrations = """
        -- One row for each M-Pin ID that was issued. The ID itself is not stored, only its SHA-256.
        -- state: 0 held, 1 activated, 2 registered (the first share was fetched).
        -- ott: SHA-256 of the one-time token that proves to whom the registration belongs.
        -- mailbox: the mailbox that the user ID names; null for other user IDs.
        -- confirmed: the first login.
        -- failures: wrong PINs since the last right one. wrong: all wrong PINs. seen: those before the last login.
        -- reserved: attempts that are being verified. recent: wrong PINs of the last days. Both may be too high, until a
        -- recount sets them from the rows of attempt.
        -- floor: a direct login is accepted only if its time, in milliseconds, is after this.
        -- number: the number of the device among those of its user, for administrators.
        -- invited: whether an invitation code has admitted it.
        -- revocation: the revocation of its user that has revoked it; null if it was revoked by itself.
        -- device_key: the public key of the device, 65 bytes; null if it logs in by two passes.
        CREATE TABLE registration (
            id INTEGER PRIMARY KEY,
            hash BLOB NOT NULL UNIQUE,
            user_id TEXT NOT NULL,
            mailbox TEXT,
            device TEXT NOT NULL,
            mobile INTEGER NOT NULL,
            state INTEGER NOT NULL,
            ott BLOB,
            created INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            delivered INTEGER,
            confirmed INTEGER,
            failures INTEGER NOT NULL DEFAULT 0,
            wrong INTEGER NOT NULL DEFAULT 0,
            seen INTEGER NOT NULL DEFAULT 0,
            reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0),
            recent INTEGER NOT NULL DEFAULT 0,
            floor INTEGER NOT NULL DEFAULT 0,
            number INTEGER NOT NULL DEFAULT 0,
            invited INTEGER NOT NULL DEFAULT 0,
            revoked INTEGER,
            revoker TEXT,
            reason TEXT,
            revocation INTEGER,
            device_key BLOB,
            user_data TEXT
        ) STRICT;
        CREATE INDEX registration_by_user ON registration (user_id);
        CREATE INDEX registration_by_state ON registration (state, expires);

        -- The last number that a registration of the user got: none is given twice while the user has registrations.
        CREATE TABLE numbering (user_id TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT, WITHOUT ROWID;

        -- Users whom an administrator has revoked as such: only an invitation admits their registrations.
        -- revocation: the number of this revocation, as in the registrations.
        CREATE TABLE suspension (
            user_id TEXT PRIMARY KEY,
            mailbox TEXT,
            time INTEGER NOT NULL,
            reason TEXT,
            revocation INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static let attempts = """
        -- wrong: 0 for a reservation, an attempt that is being verified; 1 for a wrong PIN of the last days; 2, only on
        -- PostgreSQL, for a right PIN, until the next reservation deletes it.
        -- id: random, so that no number is ever used for two attempts.
        CREATE TABLE attempt (
            registration INTEGER NOT NULL,
            id INTEGER NOT NULL,
            time INTEGER NOT NULL,
            wrong INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (registration, id)
        ) STRICT, WITHOUT ROWID;

        -- The commitments of direct logins, each good once.
        -- hash: SHA-256 of U. time: milliseconds, as the device has signed it.
        CREATE TABLE commitment (
            registration INTEGER NOT NULL,
            hash BLOB NOT NULL,
            time INTEGER NOT NULL,
            PRIMARY KEY (registration, hash)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX commitment_by_time ON commitment (time);

        -- The one row: like the floor, for all registrations. Only a restore moves it.
        CREATE TABLE horizon (id INTEGER PRIMARY KEY CHECK (id = 0), time INTEGER NOT NULL) STRICT;
        INSERT INTO horizon (id, time) VALUES (0, 0);
        """

    private static let admission = """
        -- code: keyed hash of the name of an invitation code and its user. key: the key of the code, sealed.
        -- registration: the hash of the M-Pin ID that the code made.
        -- maker: the registration whose owner has made it; null if an administrator has.
        CREATE TABLE invitation (
            code BLOB PRIMARY KEY,
            user_id TEXT NOT NULL,
            created INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            used INTEGER,
            registration BLOB,
            maker BLOB,
            key BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX invitation_by_user ON invitation (user_id);

        -- code, key: as above. batch: those that were made together. confirmed: the time from which they are good.
        -- used, registration: when it was used, and the hash of the M-Pin ID that it made.
        -- maker: the registration whose owner has made it.
        CREATE TABLE backup_code (
            user_id TEXT NOT NULL,
            code BLOB NOT NULL,
            batch INTEGER NOT NULL,
            created INTEGER NOT NULL,
            confirmed INTEGER,
            used INTEGER,
            registration BLOB,
            maker BLOB NOT NULL,
            key BLOB NOT NULL,
            PRIMARY KEY (user_id, code)
        ) STRICT, WITHOUT ROWID;
        """

    private static let mails = """
        -- The mails of registrations that wait. link, digits: keyed hashes of the link and the digits in the mail.
        -- tries: wrong digits.
        CREATE TABLE mail (
            id INTEGER PRIMARY KEY,
            link BLOB NOT NULL UNIQUE,
            digits BLOB NOT NULL,
            registration BLOB NOT NULL,
            user_id TEXT NOT NULL,
            source TEXT,
            expires INTEGER NOT NULL,
            tries INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX mail_by_registration ON mail (registration);

        -- What is limited for a day: mails sent, and wrong digits.
        CREATE TABLE mailing (
            id INTEGER PRIMARY KEY,
            mailbox TEXT NOT NULL,
            source TEXT NOT NULL,
            time INTEGER NOT NULL,
            wrong INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX mailing_by_mailbox ON mailing (mailbox);
        CREATE INDEX mailing_by_source ON mailing (source);
        """
}

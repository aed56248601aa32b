// SPDX-License-Identifier: Apache-2.0
internal import GRDB

/// The tables, and the migrations that bring a database of an older version up to date.
///
/// Times are whole seconds since 1970-01-01 UTC unless a column says otherwise.
enum Schema {
    /// The application ID in the header of the database file: "MPIN".
    static let applicationID = 0x4D50_494E

    /// The migration that makes the tables of the first version.
    private static let first = "0.1"

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(first) { database in
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            for tables in [server, registrations, attempts, admission, mails] { try database.execute(sql: tables) }
        }
        migrator.registerMigration("0.1-codes") { try $0.execute(sql: namedCodes + unsignedRefusals) }
        return migrator
    }

    /// The error for a database with migrations that this version does not know; nil for any other.
    ///
    /// - Parameter name: the name of the file in the message.
    static func unknown(in database: Database, name: String) throws -> ServerError? {
        guard try database.tableExists("grdb_migrations") else { return nil }
        let applied = try String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
        let known = migrator.migrations
        let unknown = applied.filter { !known.contains($0) }
        guard !unknown.isEmpty else { return nil }
        guard applied.contains(first) else {
            return ServerError(
                .configuration, "\(name) was made by a development version before 0.1, which cannot be upgraded",
                hint: "Nothing was changed. Set up a new server in another directory: mpin-server init --dir DIR")
        }
        let names = unknown.map { "'\($0)'" }.joined(separator: ", ")
        return ServerError(
            .configuration,
            "\(name) was made by a newer mpin-server: version \(ServerVersion.current) does not know its \(names)",
            hint: "Nothing was changed. Install the newer version, or restore a backup made by this one.")
    }

    private static let server = """
        CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

        -- The master share of each authority, sealed with the key outside the database.
        CREATE TABLE authority (number INTEGER PRIMARY KEY, share BLOB NOT NULL) STRICT;

        -- Derived keys from before a rotation, sealed by the present sealing key.
        CREATE TABLE retiredKey (
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

        -- time: milliseconds.
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY,
            time INTEGER NOT NULL,
            event TEXT NOT NULL,
            user TEXT,
            source TEXT,
            actor TEXT,
            detail TEXT
        ) STRICT;
        CREATE INDEX auditByUser ON audit (user);
        CREATE INDEX auditByTime ON audit (time);
        """

    private static let registrations = """
        -- One row for each M-Pin ID that was issued. The ID itself is not stored, only its SHA-256.
        -- state: 0 held, 1 activated, 2 registered (the first share was fetched).
        -- ott: SHA-256 of the one-time token that proves to whom the registration belongs.
        -- confirmed: the first login.
        -- failures: wrong PINs since the last right one. wrong: all wrong PINs. seen: those before the last login.
        -- number: the number of the device among those of its user, for administrators.
        -- invited: whether an invitation code has admitted it.
        -- revocation: the revocation of its user that has revoked it; null if it was revoked by itself.
        -- deviceKey: the public key of the device, 65 bytes; null if it logs in by two passes.
        CREATE TABLE registration (
            id INTEGER PRIMARY KEY,
            hash BLOB NOT NULL UNIQUE,
            user TEXT NOT NULL,
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
            number INTEGER NOT NULL DEFAULT 0,
            invited INTEGER NOT NULL DEFAULT 0,
            revoked INTEGER,
            revoker TEXT,
            reason TEXT,
            revocation INTEGER,
            deviceKey BLOB,
            userData TEXT
        ) STRICT;
        CREATE INDEX registrationByUser ON registration (user);
        CREATE INDEX registrationByState ON registration (state, expires);

        -- The last number that a registration of the user got: none is given twice while the user has registrations.
        CREATE TABLE numbering (user TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT, WITHOUT ROWID;

        -- Users whom an administrator has revoked as such: only an invitation admits their registrations.
        -- revocation: the number of this revocation, as in the registrations.
        CREATE TABLE suspension (
            user TEXT PRIMARY KEY,
            time INTEGER NOT NULL,
            reason TEXT,
            revocation INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static let attempts = """
        -- wrong: 0 for a reservation, an attempt that is being verified; 1 for a wrong PIN of the last days.
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
        CREATE INDEX commitmentByTime ON commitment (time);

        -- The one row: a direct login is accepted only if its time, in milliseconds, is after this.
        CREATE TABLE horizon (id INTEGER PRIMARY KEY CHECK (id = 0), time INTEGER NOT NULL) STRICT;
        INSERT INTO horizon (id, time) VALUES (0, 0);
        """

    private static let admission = """
        -- code: keyed hash of an invitation code. registration: the hash of the M-Pin ID that the code made.
        -- maker: the registration whose owner has made it; null if an administrator has.
        CREATE TABLE invitation (
            code BLOB PRIMARY KEY,
            user TEXT NOT NULL,
            created INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            used INTEGER,
            registration BLOB,
            maker BLOB
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX invitationByUser ON invitation (user);

        -- code: keyed hash. batch: those that were made together. confirmed: the time from which they are good.
        -- used, registration: when it was used, and the hash of the M-Pin ID that it made.
        -- maker: the registration whose owner has made it.
        CREATE TABLE backupCode (
            user TEXT NOT NULL,
            code BLOB NOT NULL,
            batch INTEGER NOT NULL,
            created INTEGER NOT NULL,
            confirmed INTEGER,
            used INTEGER,
            registration BLOB,
            maker BLOB NOT NULL,
            PRIMARY KEY (user, code)
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
            user TEXT NOT NULL,
            source TEXT,
            expires INTEGER NOT NULL,
            tries INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX mailByRegistration ON mail (registration);

        -- What is limited for a day: mails sent, and wrong digits.
        CREATE TABLE mailing (
            id INTEGER PRIMARY KEY,
            mailbox TEXT NOT NULL,
            source TEXT NOT NULL,
            time INTEGER NOT NULL,
            wrong INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX mailingByMailbox ON mailing (mailbox);
        CREATE INDEX mailingBySource ON mailing (source);
        """

    /// Codes are found by their names from then on. The earlier codes have none, so open ones are deleted.
    private static let namedCodes = """
        DELETE FROM invitation WHERE used IS NULL;
        DELETE FROM backupCode WHERE used IS NULL;
        -- code: keyed hash of the name of the code and the user. key: the key of the code, sealed.
        ALTER TABLE invitation ADD COLUMN key BLOB;
        ALTER TABLE backupCode ADD COLUMN key BLOB;

        """

    /// Which device an audit event is about was only in its text.
    private static let unsignedRefusals = """
        -- unsigned: in a refusal, the number of the device whose key has not signed; null for other events.
        ALTER TABLE audit ADD COLUMN unsigned INTEGER;
        UPDATE audit SET unsigned = CAST(substr(detail, length('device ') + 1) AS INTEGER)
        WHERE event = 'refused' AND (
            detail LIKE 'device %: no device key, and legacy = refuse'
            OR detail LIKE 'device %: the right PIN with another device key'
        );
        """
}

internal import GRDB

/// The tables, and how a database of an older version becomes one of this.
///
/// Times are whole seconds since 1970-01-01 UTC unless a column says otherwise.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(
                sql: """
                    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

                    -- The master share of each authority, sealed with the key outside the database.
                    CREATE TABLE authority (number INTEGER PRIMARY KEY, share BLOB NOT NULL) STRICT;

                    -- One row for each M-Pin ID that was issued; the ID itself is not kept, only its SHA-256.
                    -- state: 0 held, 1 activated, 2 registered (the first share was fetched).
                    -- ott: SHA-256 of the one-time token that proves to whom the registration belongs.
                    -- failures: wrong PINs since the last right one.
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
                        failures INTEGER NOT NULL DEFAULT 0,
                        revoked INTEGER,
                        revoker TEXT,
                        reason TEXT
                    ) STRICT;
                    CREATE INDEX registrationByUser ON registration (user);

                    -- code: keyed hash of an invitation code.
                    CREATE TABLE invitation (
                        code BLOB PRIMARY KEY,
                        user TEXT NOT NULL,
                        created INTEGER NOT NULL,
                        expires INTEGER NOT NULL,
                        used INTEGER
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX invitationByUser ON invitation (user);

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
                    """)
        }
        migrator.registerMigration("hosts") { database in
            try database.execute(
                sql: """
                    -- secret: keyed hash of the secret with which a host opens waiting sessions in its name.
                    CREATE TABLE host (
                        name TEXT PRIMARY KEY,
                        secret BLOB NOT NULL UNIQUE,
                        created INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        registerMail(&migrator)
        migrator.registerMigration("replacement") { database in
            try database.execute(
                sql: """
                    -- registration: the hash of the M-Pin ID that the code made.
                    ALTER TABLE invitation ADD COLUMN registration BLOB;

                    -- confirmed: the first login. Whatever was enrolled before this was noted counts as logged in.
                    ALTER TABLE registration ADD COLUMN confirmed INTEGER;
                    UPDATE registration SET confirmed = delivered;
                    """)
        }
        migrator.registerMigration("userData") { database in
            try database.execute(sql: "ALTER TABLE registration ADD COLUMN userData TEXT")
        }
        registerAttempts(&migrator)
        registerSuspension(&migrator)
        registerUpkeep(&migrator)
        registerRotation(&migrator)
        registerOwner(&migrator)
        registerDevice(&migrator)
        return migrator
    }

    /// The fault of a database that a newer version of the server has made; nil for any other.
    static func newer(in database: Database, path: String) throws -> ServerFault? {
        guard try database.tableExists("grdb_migrations") else { return nil }
        let known = migrator.migrations
        let unknown = try String.fetchAll(
            database, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid"
        ).filter { !known.contains($0) }
        guard !unknown.isEmpty else { return nil }
        let names = unknown.map { "'\($0)'" }.joined(separator: ", ")
        return ServerFault(
            .configuration,
            "\(path) was made by a newer mpin-server: version \(ListeningServer.version) does not know its \(names)",
            hint: "Nothing was changed. Install the newer version again, or restore a backup that this one has made.")
    }

    /// What a database of this server's says it is, in the header of its file: "MPIN".
    static let applicationID = 0x4D50_494E

    private static func registerOwner(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("owner") { database in
            try database.execute(
                sql: """
                    -- maker: the registration whose owner has made it; none where an administrator has.
                    ALTER TABLE invitation ADD COLUMN maker BLOB;

                    -- code: keyed hash. batch: those that were made together. confirmed: since when they are good.
                    -- used, registration: when, and for what. maker: the registration whose owner has made it.
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
                    """)
        }
    }

    private static func registerRotation(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("rotation") { database in
            try database.execute(
                sql: """
                    -- Derived keys of before a rotation, sealed by the present sealing key.
                    CREATE TABLE retiredKey (
                        id INTEGER PRIMARY KEY,
                        purpose TEXT NOT NULL,
                        retired INTEGER NOT NULL,
                        key BLOB NOT NULL
                    ) STRICT;
                    """)
        }
    }

    private static func registerUpkeep(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("upkeep") { database in
            try database.execute(
                sql: """
                    PRAGMA application_id = \(applicationID);

                    -- What is cleared away: registrations that nobody finished, and old lines of the audit log.
                    CREATE INDEX registrationByState ON registration (state, expires);
                    CREATE INDEX auditByTime ON audit (time);
                    """)
        }
    }

    private static func registerAttempts(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("attempts") { database in
            try database.execute(
                sql: """
                    -- wrong: 0 for a reservation, an attempt that is being judged; 1 for a wrong PIN of the last days.
                    -- id: random, so that none ever means another attempt.
                    CREATE TABLE attempt (
                        registration INTEGER NOT NULL,
                        id INTEGER NOT NULL,
                        time INTEGER NOT NULL,
                        wrong INTEGER NOT NULL DEFAULT 0,
                        PRIMARY KEY (registration, id)
                    ) STRICT, WITHOUT ROWID;

                    -- wrong: all wrong PINs there ever were. seen: those of them before the last login.
                    ALTER TABLE registration ADD COLUMN wrong INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE registration ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
                    UPDATE registration SET wrong = failures;
                    """)
        }
    }

    private static func registerSuspension(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("suspension") { database in
            try database.execute(
                sql: """
                    -- Users whom an administrator has revoked as such: nothing of theirs is admitted but what an
                    -- invitation brings. revocation: which one it was, by its number in the registrations.
                    CREATE TABLE suspension (
                        user TEXT PRIMARY KEY,
                        time INTEGER NOT NULL,
                        reason TEXT,
                        revocation INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;

                    -- The last number that a registration of the user got: none is given twice as long as there is one.
                    CREATE TABLE numbering (user TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT, WITHOUT ROWID;

                    -- number: what administrators call it, among those of its user.
                    -- invited: whether a code of an invitation has admitted it.
                    -- revocation: which revocation of its user has revoked it; none where it was revoked by itself.
                    ALTER TABLE registration ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE registration ADD COLUMN invited INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE registration ADD COLUMN revocation INTEGER;
                    UPDATE registration SET number = place.number FROM (
                        SELECT id, row_number() OVER (PARTITION BY user ORDER BY id) AS number FROM registration
                    ) AS place WHERE place.id = registration.id;
                    INSERT INTO numbering (user, last) SELECT user, max(number) FROM registration GROUP BY user;

                    -- So far administrators revoked users alone, all they had at once.
                    UPDATE registration SET revocation = 1 WHERE revoker = 'admin';
                    INSERT INTO suspension (user, time, reason, revocation)
                        SELECT user, max(revoked), reason, 1 FROM registration WHERE revoker = 'admin' GROUP BY user
                        -- Who has been let in again since is not.
                        HAVING NOT EXISTS (
                            SELECT 1 FROM registration AS other
                            WHERE other.user = registration.user AND other.revoked IS NULL AND other.state IN (1, 2)
                        );
                    """)
        }
    }

    private static func registerMail(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("mail") { database in
            try database.execute(
                sql: """
                    -- The mails of registrations that wait. link, digits: keyed hashes of what stands in them.
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

                    -- What is bounded for a day: mails sent, and wrong digits.
                    CREATE TABLE mailing (
                        id INTEGER PRIMARY KEY,
                        mailbox TEXT NOT NULL,
                        source TEXT NOT NULL,
                        time INTEGER NOT NULL,
                        wrong INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX mailingByMailbox ON mailing (mailbox);
                    CREATE INDEX mailingBySource ON mailing (source);
                    """)
        }
    }
}

internal import GRDB

extension Schema {
    static func registerDevice(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("device") { database in
            try database.execute(
                sql: """
                    -- deviceKey: the public half of the device's key, 65 bytes; none for one that logs in by two passes.
                    ALTER TABLE registration ADD COLUMN deviceKey BLOB;

                    -- The commitments of direct logins, each good once.
                    -- hash: SHA-256 of U. time: milliseconds, as the device has signed it.
                    CREATE TABLE commitment (
                        registration INTEGER NOT NULL,
                        hash BLOB NOT NULL,
                        time INTEGER NOT NULL,
                        PRIMARY KEY (registration, hash)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX commitmentByTime ON commitment (time);

                    -- The one row: a direct login is taken only if its time, in milliseconds, is after this.
                    CREATE TABLE horizon (id INTEGER PRIMARY KEY CHECK (id = 0), time INTEGER NOT NULL) STRICT;
                    INSERT INTO horizon (id, time) VALUES (0, 0);
                    """)
        }
    }
}

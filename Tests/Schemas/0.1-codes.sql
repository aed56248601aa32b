-- The database after the migration "0.1-codes".
PRAGMA application_id = 1297107278;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE authority (number INTEGER PRIMARY KEY, share BLOB NOT NULL) STRICT;
CREATE TABLE retiredKey (
    id INTEGER PRIMARY KEY,
    purpose TEXT NOT NULL,
    retired INTEGER NOT NULL,
    key BLOB NOT NULL
) STRICT;
CREATE TABLE host (
    name TEXT PRIMARY KEY,
    secret BLOB NOT NULL UNIQUE,
    created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,
    event TEXT NOT NULL,
    user TEXT,
    source TEXT,
    actor TEXT,
    detail TEXT
, unsigned INTEGER) STRICT;
CREATE INDEX auditByUser ON audit (user);
CREATE INDEX auditByTime ON audit (time);
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
CREATE TABLE numbering (user TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE suspension (
    user TEXT PRIMARY KEY,
    time INTEGER NOT NULL,
    reason TEXT,
    revocation INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE attempt (
    registration INTEGER NOT NULL,
    id INTEGER NOT NULL,
    time INTEGER NOT NULL,
    wrong INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (registration, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE commitment (
    registration INTEGER NOT NULL,
    hash BLOB NOT NULL,
    time INTEGER NOT NULL,
    PRIMARY KEY (registration, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX commitmentByTime ON commitment (time);
CREATE TABLE horizon (id INTEGER PRIMARY KEY CHECK (id = 0), time INTEGER NOT NULL) STRICT;
CREATE TABLE invitation (
    code BLOB PRIMARY KEY,
    user TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    used INTEGER,
    registration BLOB,
    maker BLOB
, key BLOB) STRICT, WITHOUT ROWID;
CREATE INDEX invitationByUser ON invitation (user);
CREATE TABLE backupCode (
    user TEXT NOT NULL,
    code BLOB NOT NULL,
    batch INTEGER NOT NULL,
    created INTEGER NOT NULL,
    confirmed INTEGER,
    used INTEGER,
    registration BLOB,
    maker BLOB NOT NULL, key BLOB,
    PRIMARY KEY (user, code)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE mailing (
    id INTEGER PRIMARY KEY,
    mailbox TEXT NOT NULL,
    source TEXT NOT NULL,
    time INTEGER NOT NULL,
    wrong INTEGER NOT NULL
) STRICT;
CREATE INDEX mailingByMailbox ON mailing (mailbox);
CREATE INDEX mailingBySource ON mailing (source);
INSERT INTO grdb_migrations VALUES ('0.1');
INSERT INTO grdb_migrations VALUES ('0.1-codes');

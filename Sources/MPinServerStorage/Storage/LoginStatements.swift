// SPDX-License-Identifier: Apache-2.0

/// The statements that count the attempts of a registration, and that use up the commitments of its logins.
///
/// Each decides by the columns of one row, and writes rows of one registration only, which `scripts/check` verifies. So
/// they are exact also where several connections write at once, except ``expire`` and ``recount``: there, the
/// registration's row must be locked first.
enum LoginStatements {
    /// The key that must have signed a request, and the times that are no longer accepted.
    static let signer = """
        SELECT horizon.time AS horizon, registration.id AS id, device_key, floor
        FROM horizon LEFT JOIN registration ON registration.hash = :hash
        """
    /// Whether a commitment was used, and how many are ahead of the window.
    static let commitments = """
        SELECT CASE WHEN floor > horizon.time THEN floor ELSE horizon.time END AS floor,
            EXISTS (SELECT 1 FROM commitment WHERE registration = :registration AND hash = :commitment) AS is_used,
            (SELECT count(*) FROM commitment WHERE registration = :registration AND time > :latest) AS ahead
        FROM horizon, registration WHERE registration.id = :registration
        """

    /// Reserves an attempt if the limits leave room for one, and moves the floor past the commitments that need not be
    /// remembered. `:time` and `:floor` are NULL for a login by two passes.
    static let take = """
        UPDATE registration SET reserved = reserved + 1, floor = CASE WHEN :floor > floor THEN :floor ELSE floor END
        WHERE hash = :hash AND state = :registered AND revoked IS NULL AND device_key IS NOT DISTINCT FROM :key AND :isTaken
            AND failures + reserved < :inARow AND recent + reserved < :recent
            AND (:time IS NULL OR :time > floor AND :time > (SELECT horizon.time FROM horizon))
        RETURNING id, user_id, failures, recent, wrong, seen, confirmed, floor
        """
    static let lease = """
        INSERT INTO attempt (registration, id, time) VALUES (:registration, :lease, :now) ON CONFLICT DO NOTHING
        """
    static let use = """
        INSERT INTO commitment (registration, hash, time) VALUES (:registration, :commitment, :time)
        ON CONFLICT DO NOTHING
        """
    static let forget = "DELETE FROM commitment WHERE registration = :registration AND time <= :moved"

    /// All of this in one statement, for PostgreSQL. If the commitment or the number was used before, it fails.
    static let takeAtOnce = """
        WITH taken AS (\(take)),
            lease AS (INSERT INTO attempt (registration, id, time) SELECT id, :lease, :now FROM taken),
            used AS (
                INSERT INTO commitment (registration, hash, time)
                SELECT id, :commitment, :time FROM taken WHERE :commitment IS NOT NULL
            ),
            old AS (
                DELETE FROM commitment USING taken
                WHERE commitment.registration = taken.id AND commitment.time <= taken.floor
            ),
            settled AS (DELETE FROM attempt USING taken WHERE attempt.registration = taken.id AND attempt.wrong = 2)
        SELECT * FROM taken
        """

    /// Why a reservation changed nothing, or whether it was made before.
    static let state = """
        SELECT horizon.time AS horizon, registration.*,
            EXISTS (
                SELECT 1 FROM attempt WHERE attempt.registration = registration.id AND attempt.id = :lease AND wrong = 0
            ) AS is_reserved,
            EXISTS (
                SELECT 1 FROM commitment
                WHERE commitment.registration = registration.id AND commitment.hash = :commitment
            ) AS is_used
        FROM horizon LEFT JOIN registration ON registration.hash = :hash
        """

    /// Stores a block by the longer limit in `failures` as well, because the later steps of a login check it.
    static let block = """
        UPDATE registration SET failures = :inARow
        WHERE hash = :hash AND failures < :inARow AND recent >= :recent RETURNING user_id
        """

    /// Writes an attempt that was written before, because the answer to the first commit was lost. So the commit waits for
    /// what the first waited for.
    static let rewrite = "UPDATE attempt SET time = time WHERE registration = :registration AND id = :lease"

    static let countWrong = """
        UPDATE attempt SET wrong = 1 WHERE registration = :registration AND id = :lease AND wrong = 0
        """
    static let wrong = """
        UPDATE registration SET reserved = reserved - 1, failures = failures + 1, wrong = wrong + 1, recent = recent + 1
        WHERE id = :registration RETURNING failures, recent
        """
    /// All of a wrong PIN in one statement, for PostgreSQL. It needs no more time than ``rightAtOnce``: otherwise a slow
    /// database would confirm right PINs only.
    static let wrongAtOnce = """
        WITH lease AS (\(countWrong) RETURNING 1)
        UPDATE registration SET reserved = reserved - 1, failures = failures + 1, wrong = wrong + 1, recent = recent + 1
        WHERE id = :registration AND EXISTS (SELECT 1 FROM lease) RETURNING failures, recent
        """
    static let result = """
        SELECT failures, recent FROM registration WHERE id = :registration AND EXISTS (
            SELECT 1 FROM attempt WHERE registration = :registration AND id = :lease AND wrong = 1
        )
        """

    /// Deletes an attempt that was counted in this transaction, see ``right`` and ``withdraw``.
    static let giveBack = "DELETE FROM attempt WHERE registration = :registration AND id = :lease"
    /// Keeps it on PostgreSQL, where the answer to a commit can be lost: a repeated settlement finds it.
    static let keep = "UPDATE attempt SET wrong = 2 WHERE registration = :registration AND id = :lease"
    static let withdraw = """
        UPDATE registration SET failures = :failures, wrong = wrong - 1, recent = recent - 1 WHERE id = :registration
        """
    /// A right PIN does not lift a block by the longer limit.
    static let right = """
        UPDATE registration SET wrong = wrong - 1, recent = recent - 1,
            failures = CASE
                WHEN recent > :recent OR :failures < wrong - 1 - :known THEN :failures ELSE wrong - 1 - :known
            END,
            seen = CASE WHEN seen < :known THEN :known ELSE seen END,
            confirmed = CASE WHEN revoked IS NULL THEN coalesce(confirmed, :now) ELSE confirmed END
        WHERE id = :registration
        """

    /// A right PIN that changes nothing but its reservation, in one statement, for PostgreSQL. Its commit waits neither
    /// for the disk nor for a standby. It writes the same rows as a wrong PIN, so that both need the same room on a disk
    /// that is nearly full.
    static let rightAtOnce = """
        WITH lease AS (
            UPDATE attempt SET wrong = 2 WHERE registration = :registration AND id = :lease AND wrong = 0 RETURNING 1
        )
        UPDATE registration SET reserved = reserved - 1,
            failures = CASE
                WHEN recent >= :recent OR failures < wrong - :known THEN failures ELSE wrong - :known
            END,
            seen = CASE WHEN seen < :known THEN :known ELSE seen END
        WHERE id = :registration AND EXISTS (SELECT 1 FROM lease)
            AND (SELECT set_config('synchronous_commit', 'off', true)) = 'off'
        """

    /// Deletes the reservations that have expired, or whose time is ahead because the clock was set back, and the wrong
    /// PINs that no longer count.
    static let expire = """
        DELETE FROM attempt WHERE registration = (SELECT id FROM registration WHERE hash = :hash) AND CASE wrong
            WHEN 0 THEN time NOT BETWEEN :now - \(lifetime) AND :now + \(lifetime) ELSE time <= :start END
        """
    /// Whether ``rightAtOnce`` or ``keep`` was run before.
    static let isRight = "attempt WHERE registration = :registration AND id = :lease AND wrong = 2"

    /// Deletes these rows on PostgreSQL, where other logins write at the same time. They lock the row of an attempt before
    /// that of the registration, so a recount does not wait for it.
    static let expireUnlocked = """
        DELETE FROM attempt WHERE registration = (SELECT id FROM registration WHERE hash = :hash) AND id IN (
            SELECT id FROM attempt WHERE registration = (SELECT id FROM registration WHERE hash = :hash) AND CASE wrong
                WHEN 0 THEN time NOT BETWEEN :now - \(lifetime) AND :now + \(lifetime) ELSE time <= :start END
            FOR UPDATE SKIP LOCKED
        )
        """
    /// Locks the registration before a recount on PostgreSQL, which would otherwise miss what others write.
    static let lock = "SELECT id FROM registration WHERE hash = :hash FOR UPDATE"
    /// How many seconds a reservation is valid.
    private static let lifetime = 30
    /// Sets the columns to the counts of the rows. Only ``take`` decides by the columns.
    static let recount = """
        UPDATE registration SET (reserved, recent) = (\(rows)) WHERE hash = :hash AND (reserved, recent) <> (\(rows))
        """
    private static let rows = """
        SELECT count(*) FILTER (WHERE attempt.wrong = 0), count(*) FILTER (WHERE attempt.wrong = 1)
        FROM attempt WHERE attempt.registration = registration.id
        """
    static let recent = "SELECT recent FROM registration WHERE hash = :hash"
}

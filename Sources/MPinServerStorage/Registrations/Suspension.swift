internal import GRDB

/// The suspension of a user: an administrator has revoked the user, and not only the registrations of that time.
struct Suspension: Sendable {
    let time: Timestamp
    let reason: String?

    init(_ row: Row) {
        time = Timestamp(seconds: row["time"])
        reason = row["reason"]
    }
}

/// The class of a request, by which it gets its threads: each class has a pool of its own, so that what holds requests of
/// one class up does not hold up the others.
package enum RequestClass: String, Sendable, CaseIterable {
    /// Waits for nothing and takes microseconds: runs on the thread of its connection.
    case immediate
    /// Needs no write: settings, pages, keys, challenges, sessions.
    case reading
    /// Verifies a login, for which it writes.
    case verifying
    /// Everything else that writes, or that may wait for others: a free slot for a mail, the site's application.
    case registering
}

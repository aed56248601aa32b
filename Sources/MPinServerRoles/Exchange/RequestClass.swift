// SPDX-License-Identifier: Apache-2.0

/// The class of a request. Each class has a thread pool of its own, so that blocked requests of one class do not delay
/// the others.
package enum RequestClass: String, Sendable, CaseIterable {
    /// Waits for nothing and takes microseconds, so it runs on the thread of its connection.
    case immediate
    /// Needs no write: settings, pages, keys, challenges, sessions.
    case reading
    /// Verifies a login, for which it writes.
    case verifying
    /// All other requests that write, or that may wait: for a free slot for a mail, or for the site's application.
    case registering
}

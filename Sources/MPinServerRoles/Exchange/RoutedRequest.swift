// SPDX-License-Identifier: Apache-2.0

package struct RoutedRequest: Sendable {
    /// Selects the threads on which the request may wait.
    package let requestClass: RequestClass
    /// Answers the request. May wait for the disk and for other requests about the same registration.
    package let result: @Sendable () -> RouteResult

    package init(_ requestClass: RequestClass, result: @escaping @Sendable () -> RouteResult) {
        (self.requestClass, self.result) = (requestClass, result)
    }
}

/// The result of a request: a response now, or one that another request completes.
package enum RouteResult: Sendable {
    case now(Response)
    case later(DeferredResponse)

    /// Changes the response, also one that is still to come.
    func map(_ change: @escaping @Sendable (Response) -> Response) -> RouteResult {
        switch self {
        case .now(let response): return .now(change(response))
        case .later(let deferred):
            deferred.change(change)
            return self
        }
    }
}

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

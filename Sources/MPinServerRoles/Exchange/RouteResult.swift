// SPDX-License-Identifier: Apache-2.0

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

// SPDX-License-Identifier: Apache-2.0

/// The result of a request: a response now, or one that another request completes.
package enum RouteResult: Sendable {
    case now(Response)
    case later(DeferredResponse)
}

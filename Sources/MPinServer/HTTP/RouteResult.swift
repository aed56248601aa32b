/// What comes of a request: an answer now, or one that has to wait for somebody else.
package enum RouteResult: Sendable {
    case now(Response)
    case later(DeferredResponse)
}

/// A request with the endpoint that takes it.
package struct RoutedRequest: Sendable {
    let request: Request
    let routes: Routes
    let match: Routes.Match

    init(_ request: Request, _ routes: Routes, _ match: Routes.Match) {
        (self.request, self.routes, self.match) = (request, routes, match)
    }

    /// By which it gets the threads on which it may wait.
    package var requestClass: RequestClass { match.requestClass }
}

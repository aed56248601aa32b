/// A request with what answers it.
package struct RoutedRequest: Sendable {
    /// By which it gets the threads on which it may wait.
    package let requestClass: RequestClass
    /// Answers it. May wait for the disk and for other requests about the same registration.
    package let result: @Sendable () -> RouteResult

    init(_ requestClass: RequestClass, result: @escaping @Sendable () -> RouteResult) {
        (self.requestClass, self.result) = (requestClass, result)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A request with the code that answers it.
package struct RoutedRequest: Sendable {
    /// Selects the threads on which the request may wait.
    package let requestClass: RequestClass
    /// Answers the request. May wait for the disk and for other requests about the same registration.
    package let result: @Sendable () -> RouteResult

    init(_ requestClass: RequestClass, result: @escaping @Sendable () -> RouteResult) {
        (self.requestClass, self.result) = (requestClass, result)
    }
}

/// A request as the routes see it, whatever server it came through.
package struct Request: Sendable {
    /// The largest body that is read, in bytes.
    package static let largestBody = 65_536

    package let method: String
    /// The path, without query.
    package let path: String
    /// What stands behind the question mark; empty without one.
    package let query: String
    package let body: [UInt8]
    package let source: Source

    /// - Parameter target: path and query as in the request line.
    package init(method: String, target: String, body: [UInt8] = [], source: Source) {
        self.method = method
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts.first ?? "")
        query = parts.count > 1 ? String(parts[1]) : ""
        self.body = body
        self.source = source
    }
}

// SPDX-License-Identifier: Apache-2.0
package import MPinServerStorage
internal import MPinWire

/// A request, independent of the HTTP server.
package struct Request: Sendable {
    /// The largest body that is read, in bytes.
    package static let largestBody = 65_536

    let method: String
    /// The path without the query.
    let path: String
    /// The query without its question mark; empty if there is none.
    let query: String
    let body: [UInt8]
    let source: RequestSource
    /// Whether it came over TLS to this process.
    let isTLS: Bool
    /// The headers that routes may read, by their names in lower case.
    private let headers: [String: String]

    /// The names of the headers that routes may read.
    package static let readHeaders = [
        "accept", "authorization", "content-type", "cookie", "host", "origin", "sec-fetch-site", "x-requested-with",
    ]

    /// - Parameters:
    ///   - target: path and query of the request line.
    ///   - headers: by their names in lower case.
    package init(
        method: String, target: String, headers: [String: String] = [:], body: [UInt8] = [], source: RequestSource,
        isTLS: Bool = false
    ) {
        self.method = method
        self.headers = headers
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts.first ?? "")
        query = parts.count > 1 ? String(parts[1]) : ""
        (self.body, self.source, self.isTLS) = (body, source, isTLS)
    }

    func header(_ name: String) -> String? { headers[name] }

    /// Decodes the body.
    ///
    /// - Throws: ``Refusal`` of that status if the body is malformed.
    func message<T>(_ decode: (Span<UInt8>) throws(WireError) -> T, orRefuse status: Int) throws -> T {
        do throws(WireError) { return try decode(body.span) } catch { throw Refusal.badInput(error, status: status) }
    }

    /// Decodes the query.
    ///
    /// - Throws: ``Refusal`` of that status if the query is incomplete or malformed.
    func parameters<T>(_ decode: (String) throws(WireError) -> T, orRefuse status: Int) throws -> T {
        do throws(WireError) { return try decode(query) } catch { throw Refusal.badInput(error, status: status) }
    }

    func shareQuery(needsIdentity: Bool) throws -> ShareQuery {
        try parameters(
            { query throws(WireError) in try ShareQuery.decode(query, needsIdentity: needsIdentity) }, orRefuse: 403)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// What a connection waits for.
enum ConnectionPhase: Sendable {
    /// The rest of a request, or of the TLS handshake before the first one.
    case request
    /// This server's response to a complete request.
    case response
    /// The next request.
    case nextRequest
}

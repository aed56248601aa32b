/// What a connection waits for.
enum ConnectionPhase: Sendable {
    /// For the rest of a request, or of the TLS handshake before the first one.
    case request
    /// For this server's response to a complete request.
    case response
    /// For the next request.
    case nextRequest
}

/// How a server is reached and recognised.
public struct TransportOptions: Sendable {
    /// The time for one call, from waiting for the lock to the last answer, in milliseconds.
    public var timeoutMilliseconds = 5000

    /// A file with the CA certificates to trust, PEM. `nil` means the system's directory.
    public var caFile: String?

    /// The account whose server is trusted at a Unix socket, besides root's and the caller's own.
    public var serverUser = "mpin"

    /// Headers that every request carries besides those of the protocol; one of the same name replaces theirs.
    public var headers: [HTTPHeader] = []

    public init() {}

    /// The further headers as lines; `nil` for none.
    var headerLines: String? {
        guard !headers.isEmpty else { return nil }
        var lines = ""
        for header in headers { lines += header.line + "\n" }
        return lines
    }

    /// Where the certificates of the system lie, hashed, so that only those needed are read.
    static let systemCertificates = "/etc/ssl/certs"
}

package import MPinWire

/// How a server is reached and authenticated, and what this machine signs with.
public struct TransportOptions: Sendable {
    /// The time for one call, from waiting for the lock to the last answer, in milliseconds.
    public var timeoutMilliseconds = 5000

    package var caFileText: ByteText?
    package var serverUserText: ByteText = "mpin"

    /// The name of the TPM that keys are in; nil for the machine's.
    package var tpmDevice: ByteText?

    #if !hasFeature(Embedded)
    /// Where the key of a new registration is made.
    package var newKey = NewDeviceKeyPlace.file
    #endif

    /// Headers that every request carries besides those of the protocol; one of the same name replaces theirs.
    public var headers: [HTTPHeader] = [] {
        didSet { headerLines = TransportOptions.lines(headers) }
    }

    /// For programs of this package: called when a transfer begins (1) and ends (0), and the terminal's signals arrive
    /// meanwhile. Without it every signal waits until the transfer is over.
    package var watch: (@convention(c) @Sendable (Int32) -> Void)?

    /// The defaults: five seconds, the system's certificates, no further headers.
    public init() {}

    /// The further headers as lines; `nil` for none.
    private(set) var headerLines: ByteText?

    private static func lines(_ headers: [HTTPHeader]) -> ByteText? {
        guard !headers.isEmpty else { return nil }
        var lines = ByteText()
        for header in headers {
            lines.append(contentsOf: header.line)
            lines.append("\n")
        }
        return lines
    }

    /// Where the certificates of the system lie, hashed, so that only those needed are read.
    static var systemCertificates: ByteText { "/etc/ssl/certs" }
}

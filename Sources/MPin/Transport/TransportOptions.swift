// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
package import MPinWire

/// How to reach and authenticate a server, and which key of this machine signs.
public struct TransportOptions: Sendable {
    /// The time limit for one call, from waiting for the lock to the last answer, in milliseconds: 1 to 3,600,000. A
    /// longer one counts as an hour.
    ///
    /// The calls of one ``/MPinAsync/AsyncMPinClient`` run one after the other. The time that a call waits for its turn
    /// is not part of the limit, so sign-ins in parallel need a client each.
    public var timeoutMilliseconds = 5000

    package var caFileText: ByteText?
    package var serverUserText: ByteText = "mpin"

    /// The name of the TPM for the keys; nil for the machine's default.
    package var tpmDevice: ByteText?

    /// The keys that the server's certificate may have, in libcurl's format; nil for any.
    package var tlsPinText: ByteText?

    /// Where the device key of a new registration is made: in the record, or in this machine's TPM.
    public var newKey = NewDeviceKeyPlace.file

    /// Whether the server is one of 2016, so that a registration without a device key may be started there. An attacker
    /// with a trusted certificate can make any server look like one of 2016, so only set this if you know that it is.
    public var acceptsOldServer = false

    /// Headers for every request, in addition to those of the protocol. One with the same name replaces the protocol's.
    public var headers: [HTTPHeader] = [] { didSet { headerLines = TransportOptions.lines(headers) } }

    /// Only for programs of this package: called when a transfer begins (1) and ends (0); the terminal's signals arrive
    /// in between. Without it, all signals wait until the transfer is over.
    package var watch: (@convention(c) @Sendable (Int32) -> Void)?

    /// The defaults: five seconds, the system's certificates, no additional headers.
    public init() {}

    /// The additional headers as lines; `nil` for none.
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

    /// The directory with the system's certificates, hashed, so that only the needed ones are read.
    static var systemCertificates: ByteText { "/etc/ssl/certs" }
}

extension TransportOptions {
    /// PEM file with the CA certificates to trust. `nil` means the system's directory.
    public var caFile: String? {
        get { caFileText?.string }
        set { caFileText = newValue.map { ByteText($0) } }
    }

    /// The public keys that the server's certificate may have: `sha256//` and the SHA-256 of the key in Base64,
    /// separated by semicolons. `nil` accepts every key that a trusted CA has certified.
    public var tlsPin: String? {
        get { tlsPinText?.string }
        set { tlsPinText = newValue.map { ByteText($0) } }
    }

    /// The TPM for device keys: `device:/PATH`, or `swtpm:path=/PATH` for an emulated one. `nil` means
    /// `device:/dev/tpmrm0`.
    public var tpm: String? {
        get { tpmDevice?.string }
        set { tpmDevice = newValue.map { ByteText($0) } }
    }

    /// The account whose server is trusted at a Unix socket, in addition to root and the caller's own user.
    public var serverUser: String {
        get { serverUserText.string }
        set { serverUserText = ByteText(newValue) }
    }
}

/// A time on the monotonic clock by which a call must finish.
package struct Deadline: Sendable {
    package let nanoseconds: Int64
    #if hasFeature(Embedded)
    var stop: Int32 { 0 }
    #else
    /// A descriptor that ends the call earlier when there is something to read from it; 0 for none.
    let stop: Int32
    #endif

    /// The time this many milliseconds from now.
    package init(millisecondsFromNow milliseconds: Int, stop: Int32 = 0) {
        let budget = Int64(max(0, min(milliseconds, 3_600_000)))
        self.init(nanoseconds: mpin_monotonic_ns() + budget * 1_000_000, stop: stop)
    }

    private init(nanoseconds: Int64, stop: Int32) {
        self.nanoseconds = nanoseconds
        #if !hasFeature(Embedded)
        self.stop = stop
        #endif
    }

    package var hasPassed: Bool { mpin_monotonic_ns() >= nanoseconds }

    /// The end of the first fifth of the time that is left.
    var fifth: Deadline {
        let now = mpin_monotonic_ns()
        return Deadline(nanoseconds: now + max(0, nanoseconds - now) / 5, stop: stop)
    }

    /// Whether the caller has stopped the call.
    var isStopped: Bool {
        #if hasFeature(Embedded)
        false
        #else
        mpin_is_stopped(stop) != 0
        #endif
    }
}

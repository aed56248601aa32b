package import MPinWire

/// Why an SDK call failed.
public struct MPinError: Error, Sendable {
    /// Whether the server may have counted an attempt.
    public enum PINChecked: Sendable {
        /// Nothing from which the server could judge the PIN has left this machine.
        case no
        /// It may have: the answer did not arrive, or said nothing about it.
        case maybe
        /// It has judged.
        case yes
    }

    /// Behind a reference, because every call that can fail hands errors on.
    private final class Storage: Sendable {
        let code: MPinStatus
        let sentence: Constant
        let attemptsLeft: Int?
        let pinChecked: PINChecked
        let httpStatus: Int?
        let cause: Cause
        let reason: ByteText?
        let serverTime: Int?
        /// Set before anybody else has the error.
        nonisolated(unsafe) var prefix = ByteText()

        init(
            _ code: MPinStatus, _ sentence: Constant, _ attemptsLeft: Int?, _ pinChecked: PINChecked,
            _ httpStatus: Int?, _ cause: Cause, _ reason: ByteText?, _ serverTime: Int?
        ) {
            self.code = code
            self.sentence = sentence
            self.attemptsLeft = attemptsLeft
            self.pinChecked = pinChecked
            self.httpStatus = httpStatus
            self.cause = cause
            self.reason = reason
            self.serverTime = serverTime
        }
    }

    private let storage: Storage

    /// The status by its Milagro name.
    ///
    /// Milagro: `GetStatusCode`
    public var code: MPinStatus { storage.code }

    /// One sentence that may be shown and logged, without ``prefix``.
    package var sentence: Constant { storage.sentence }

    /// What comes before the sentence: the address of the second authority with a colon, where that has failed.
    package var prefix: ByteText { unsafe storage.prefix }

    /// How many attempts the server says are left. For display only; a verdict never depends on it.
    public var attemptsLeft: Int? { storage.attemptsLeft }

    /// Whether an attempt may have been spent.
    public var pinChecked: PINChecked { storage.pinChecked }

    /// The HTTP status behind the failure; `nil` if no answer arrived. For logs and support: ``code`` is the verdict.
    public var httpStatus: Int? { storage.httpStatus }

    /// Why an administrator has revoked the registration, as the server says; not yet fit to be shown.
    var reason: ByteText? { storage.reason }

    /// What the server has for now, in milliseconds since 1970, where it has refused the time of a request.
    package var serverTime: Int? { storage.serverTime }

    /// The sentence for ``Cause/unknownDevice``.
    package static var unknownDevice: Constant { "The server does not know this device: recover the enrollment." }

    #if !hasFeature(Embedded)
    /// Whether the PIN was right, and the server knows nothing of what the login was for: 404 to a final call, 422 to a
    /// direct login, where 404 means the device.
    package var isUnknownObject: Bool {
        code == .httpRequestError && pinChecked == .yes && (httpStatus == 404 || httpStatus == 422)
    }

    /// Seconds after which to try again, if the server answered 429 and said so.
    public var retryAfter: Int? { httpStatus == 429 ? reason.flatMap { Int($0.string) } : nil }
    #endif

    /// What has failed, as far as programs tell it apart beyond ``code``.
    package var cause: Cause { storage.cause }

    /// Names what has failed, if it is an absolute address and not this machine. For an error of this call. The address
    /// comes from a server, so only what is safe to show is kept.
    func begin(with address: ByteText) {
        guard address.bytes.first != UInt8(ascii: "/"), !isLocal else { return }
        unsafe storage.prefix = VisibleText.sanitized(address, limit: 128) + ": "
    }

    @inline(never)
    package init(_ code: MPinStatus, _ message: Constant) {
        storage = Storage(code, message, nil, .no, nil, .server, nil, nil)
    }

    @inline(never)
    package init(
        _ code: MPinStatus, _ message: Constant, attemptsLeft: Int? = nil, pinChecked: PINChecked = .no,
        httpStatus: Int? = nil, cause: Cause = .server, reason: ByteText? = nil, serverTime: Int? = nil
    ) {
        storage = Storage(code, message, attemptsLeft, pinChecked, httpStatus, cause, reason, serverTime)
    }
}

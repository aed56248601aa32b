// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
package import MPinWire

/// The reason why an SDK call failed: the only type of error that its calls throw.
///
/// ``code`` is the verdict, ``message`` the sentence to show, and ``reason`` is for advice.
public struct MPinError: Error, Sendable {
    /// Whether the server may have counted an attempt.
    public enum PINChecked: Sendable {
        /// Nothing that lets the server judge the PIN has left this machine.
        case no
        /// It may have: no answer arrived, or the answer does not say.
        case maybe
        /// The server has judged the PIN.
        case yes
    }

    /// Behind a reference, because every call that can fail passes errors on.
    private final class Storage: Sendable {
        let code: MPinStatus
        let sentence: Constant
        let attemptsLeft: Int?
        let pinChecked: PINChecked
        let httpStatus: Int?
        let cause: Cause
        let refusalReason: ByteText?
        let serverTime: Int?
        /// Set before any other code has the error.
        nonisolated(unsafe) var prefix = ByteText()
        nonisolated(unsafe) var retryAfter: Int?

        init(
            _ code: MPinStatus, _ sentence: Constant, _ attemptsLeft: Int?, _ pinChecked: PINChecked,
            _ httpStatus: Int?, _ cause: Cause, _ refusalReason: ByteText?, _ serverTime: Int?
        ) {
            (self.code, self.sentence, self.attemptsLeft, self.pinChecked) = (code, sentence, attemptsLeft, pinChecked)
            (self.httpStatus, self.cause, self.serverTime) = (httpStatus, cause, serverTime)
            self.refusalReason = refusalReason
        }
    }

    private let storage: Storage

    /// The Milagro status.
    ///
    /// Milagro: `GetStatusCode`
    public var code: MPinStatus { storage.code }

    /// One sentence that may be shown and logged, without ``prefix``.
    package var sentence: Constant { storage.sentence }

    /// The text before the sentence: the address of the second authority and a colon, if that has failed, or the name of
    /// an unsafe file.
    package var prefix: ByteText { unsafe storage.prefix }

    /// How many attempts are left, as the server reports. Only for display: no decision may depend on it.
    public var attemptsLeft: Int? { storage.attemptsLeft }

    /// Whether an attempt may have been used.
    public var pinChecked: PINChecked { storage.pinChecked }

    /// The HTTP status behind the failure; `nil` if no answer arrived. For logs and support: ``code`` is the verdict.
    public var httpStatus: Int? { storage.httpStatus }

    /// The reason why an administrator has revoked the registration, as the server sent it; not yet safe to show.
    var refusalReason: ByteText? { storage.refusalReason }

    /// The server's current time, in milliseconds since 1970, if it refused the time of a request.
    package var serverTime: Int? { storage.serverTime }

    /// The sentence for ``Cause/unknownDevice``.
    package static var unknownDevice: Constant { "The server does not know this device: recover the enrollment." }

    /// The number of seconds to wait before another try, if the server asked the client to wait and sent it.
    public var retryAfter: Int? { unsafe storage.retryAfter }

    /// Only for an error of this call.
    func setPrefix(_ text: ByteText) { unsafe storage.prefix = text }

    /// Only for an error of this call.
    func setRetryAfter(_ seconds: Int?) { unsafe storage.retryAfter = seconds }

    /// The cause of the failure, as far as programs distinguish it beyond ``code``.
    package var cause: Cause { storage.cause }

    /// Puts the failing address in front of the message, if it is an absolute address and the failure is not local.
    /// Only for an error of this call. The address comes from a server, so only what is safe to show is kept.
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
        httpStatus: Int? = nil, cause: Cause = .server, refusalReason: ByteText? = nil, serverTime: Int? = nil
    ) { storage = Storage(code, message, attemptsLeft, pinChecked, httpStatus, cause, refusalReason, serverTime) }
}

extension MPinError {
    /// One sentence that may be shown and logged. It never contains a body, a PIN or other user data. It begins with
    /// the address of the second authority if that has failed and the server's settings name its host, or with the name
    /// of an unsafe file.
    ///
    /// Milagro: `GetErrorMessage`
    public var message: String { (prefix + sentence.text).string }

    /// The address of the second authority, if that has failed and the server's settings name its host.
    package var secondAuthority: String? {
        prefix.isEmpty || code == .storageError ? nil : String(prefix.string.dropLast(2))
    }
}

extension MPinError: CustomStringConvertible {
    /// The ``message``.
    public var description: String { message }
}

#if !hasFeature(Embedded)
package import MPinWire

extension MPinError.Cause: CaseIterable {}

extension MPinError {
    /// An error that another process of this machine has reported.
    package init(
        _ code: MPinStatus, relayed sentence: ByteText, of authority: ByteText, attemptsLeft: Int?,
        pinChecked: PINChecked, httpStatus: Int?, cause: Cause, retryAfter: Int?
    ) {
        self.init(
            code, Constant(kept: sentence), attemptsLeft: attemptsLeft, pinChecked: pinChecked, httpStatus: httpStatus,
            cause: cause)
        setPrefix(authority)
        setRetryAfter(retryAfter)
    }
}
#endif

extension MPinError {
    /// The cause of a failure, if the status alone does not determine the next step.
    package enum Cause: UInt8, Sendable {
        /// The server, or the connection to it.
        case server
        /// The server knows no such registration with the key of this device. It has judged nothing.
        case unknownDevice
        /// The TPM of this machine does not have the registration's key: it was cleared, or it is a different TPM.
        case lostKey
        /// The answer is not signed by the registration's server. Nothing that it says counts.
        case unproven
        /// The server at the address has another key than the registration's server, or than the expected one. Nothing
        /// that depends on the PIN or the code was sent to it.
        case otherServerKey
        /// The server asks the client to wait before another request.
        case limited
        /// The server refuses the time of a signed request, or has already received it.
        case clock, doubled
        /// The name service does not know the server's host name, or cannot be asked.
        case unknownHost
        /// A certificate or TLS problem that the administrator of the server or of the connection can solve.
        case unknownIssuer, foreignIssuer, outOfDate, otherName, noTLS
        /// The certificate is refused for another reason, or has a key that is not in `tls_pin`.
        case untrusted
        /// The socket belongs to an account other than `server_user`.
        case peer
        /// The disk below the store.
        case fullDisk, readOnlyDisk
        /// The server's settings do not offer the proof that this call needs. Nothing was sent.
        case noServerProof
        /// The registration was started without a device key, and this call needs one.
        case startedWithoutKey
        /// The server does not know the registration that waits for its verification or its shares: it has expired, or
        /// its share was issued.
        case lapsedRegistration
        /// The registration was revoked before it was finished.
        case revokedRegistration
        /// The server has no waiting session with this access number or code.
        case unknownSession
        /// The server refuses the address of the request, so it may not be an M-Pin server.
        case unknownAddress
        /// The account's file, which has room for a limited number of registrations.
        case fullRecords
        /// The disk below the store: the new content is in place, but a power failure may undo it.
        case unconfirmedWrite
        /// Too many files are open, in this process or on this machine.
        case fewFiles
        /// This process: it lacked a library, descriptors or a lock. This says nothing about the server, and the user
        /// who started the process may have caused it.
        case caller
        /// This process: it lacked memory or threads. The user who started it may have caused it.
        case noMemory
        /// The file of CA certificates cannot be used.
        case authorityFile
        /// The TPM of this machine: there is none, this process may not use it, it does not answer, its library is
        /// missing, or it failed in another way.
        case absentTPM, closedTPM, silentTPM, noTPMLibrary, failedTPM
        /// The server offers no device keys, and the caller does not expect one of 2016. Nothing was sent.
        case unexpectedOldServer
        /// The server has signed that the PIN was right, but does not do what a login of the owner is for.
        case unmet
        /// The socket of the server does not exist.
        case missingSocket
        /// The server's host refuses connections.
        case connectionRefused
        /// The server did not answer in time.
        case noAnswer
        /// There is no store, or nothing in it for the account.
        case missingStore
        /// This process may not use the store.
        case closedStore
        /// Another user could have changed the store.
        case unsafeStore
        /// Another program holds the lock of the account.
        case busyStore
        /// The caller has stopped the call.
        case canceled
    }

    /// Whether the server has judged the PIN, and the registration is blocked.
    package var isBlock: Bool {
        code == .incorrectPIN && pinChecked == .yes
            && (httpStatus == DirectRefusal.blocked.rawValue || attemptsLeft == 0)
    }

    /// Whether the server has refused the request, so that the same one would be refused again.
    package var isRefusal: Bool { cause != .limited && httpStatus.map { 400..<500 ~= $0 } ?? false }

    /// The error for an unsigned answer to a request for a registration with a device key: anything between the client
    /// and the server can refuse a request, or answer something else. So it says no more than a missing answer.
    func withoutProof() -> MPinError {
        guard httpStatus.map({ 400..<500 ~= $0 }) ?? (code == .responseParseError) else { return self }
        return MPinError(
            .networkError, "The answer was not signed by this registration's server.", pinChecked: pinChecked,
            cause: .unproven)
    }

    /// The error of a call that its caller has stopped before this failure, whatever it waited for.
    var canceled: MPinError {
        MPinError(.networkError, MPinError.canceledSentence, pinChecked: pinChecked, cause: .canceled)
    }

    static var canceledSentence: Constant { "The call was canceled." }

    /// Whether this process or machine has failed, and not the server.
    package var isLocal: Bool {
        switch cause {
        case .caller, .busyStore, .canceled, .noMemory, .authorityFile, .absentTPM, .closedTPM, .silentTPM,
            .noTPMLibrary, .failedTPM:
            true
        default: false
        }
    }
}

extension MPinError {
    /// Converts an error of the cryptography to an error of the SDK.
    @inline(never)
    init(_ error: CryptoError) {
        switch error {
        case .invalidPIN: self.init(.pinInputCanceled, "The PIN has an invalid form.")
        case .randomUnavailable: self.init(.cryptoError, "The system provides no random numbers.", cause: .caller)
        case .memoryUnavailable: self.init(.cryptoError, "There is not enough memory for secrets.", cause: .caller)
        case .libraryUnavailable where CryptoError.isLibraryRestricted:
            self.init(
                .cryptoError, "No provider of OpenSSL meets the default properties in openssl.cnf.", cause: .caller)
        case .libraryUnavailable:
            self.init(
                .cryptoError, "libcrypto.so.3 cannot be loaded: the package libssl3 is missing or too old.",
                cause: .caller)
        case .invalidPoint, .invalidScalar, .infinity, .invalidDate, .invalidMessage, .invalidSeal:
            self.init(.cryptoError, "A value from the server or the store is invalid.")
        }
    }
}

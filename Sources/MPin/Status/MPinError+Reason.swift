// SPDX-License-Identifier: Apache-2.0
#if !hasFeature(Embedded)
internal import MPinWire

extension MPinError {
    /// Why a call failed, where an application may do something about it. ``MPinError/code`` is the verdict; this is
    /// for advice.
    public enum Reason: String, Sendable, Codable, CaseIterable {
        /// The server's socket does not exist: the server does not run, or its address is wrong. Nothing was sent.
        case missingSocket
        /// The server's host name cannot be resolved.
        case unknownHost
        /// No program listens at the server's address. Nothing was sent.
        case connectionRefused
        /// The server did not answer in time.
        case noAnswer
        /// The server's certificate is not trusted, has expired, or is for another host.
        case untrustedCertificate
        /// The server does not use TLS on this port.
        case noTLS
        /// The server's socket belongs to an account that is not trusted; see ``TransportOptions/serverUser``.
        case untrustedSocket
        /// The server has another key than the registration's server, or than the expected one.
        case otherServerKey
        /// The server has not proven its answer, or does not offer such a proof.
        case unprovenAnswer
        /// The server may be one of 2016; see ``TransportOptions/acceptsOldServer``.
        case oldServer
        /// The server asks to wait; see ``MPinError/retryAfter``.
        case tooManyRequests
        /// The server refuses the time of the request: check this machine's clock.
        case wrongClock
        /// The server does not know this device, or the TPM has lost its key: register again.
        case unknownDevice
        /// The TPM of this machine cannot be used.
        case tpm
        /// There is no store, or it has nothing for this account.
        case missingStore
        /// This process may not use the store.
        case closedStore
        /// Another user could have changed the store. The message names the file.
        case unsafeStore
        /// Another program is using the store.
        case busyStore
        /// The disk of the store is full or read-only, or the account's file is full.
        case fullStore
        /// This process lacks a library, memory, threads or descriptors.
        case lackingResources
        /// The task was canceled. The status is always NETWORK_ERROR; ``MPinError/pinChecked`` says whether the PIN may
        /// have been checked.
        case canceled
        /// Anything else: the status and the message say more.
        case other
    }

    /// Why the call failed, where an application may do something about it.
    public var reason: Reason { Reason(cause) }
}

extension MPinError.Reason {
    fileprivate init(_ cause: MPinError.Cause) {
        self =
            switch cause {
            case .missingSocket: .missingSocket
            case .unknownHost: .unknownHost
            case .connectionRefused: .connectionRefused
            case .noAnswer: .noAnswer
            case .unknownIssuer, .foreignIssuer, .outOfDate, .otherName, .untrusted: .untrustedCertificate
            case .noTLS: .noTLS
            case .peer: .untrustedSocket
            case .otherServerKey: .otherServerKey
            case .unproven, .noServerProof: .unprovenAnswer
            case .unexpectedOldServer: .oldServer
            case .limited: .tooManyRequests
            case .clock: .wrongClock
            case .unknownDevice, .lostKey: .unknownDevice
            case .absentTPM, .closedTPM, .silentTPM, .noTPMLibrary, .failedTPM: .tpm
            case .missingStore: .missingStore
            case .closedStore: .closedStore
            case .unsafeStore: .unsafeStore
            case .busyStore: .busyStore
            case .fullDisk, .readOnlyDisk, .fullRecords: .fullStore
            case .caller, .noMemory, .fewFiles, .authorityFile: .lackingResources
            case .canceled: .canceled
            case .server, .doubled, .startedWithoutKey, .lapsedRegistration, .revokedRegistration, .unknownSession,
                .unknownAddress, .unconfirmedWrite, .unmet:
                .other
            }
    }

    /// One of the causes with this reason.
    fileprivate var cause: MPinError.Cause {
        MPinError.Cause.allCases.first { MPinError.Reason($0) == self } ?? .server
    }
}

extension MPinError {
    /// Makes an error for an application's own tests, previews and stores, with the standard sentence of its status.
    ///
    /// - Parameters:
    ///   - code: the status.
    ///   - attemptsLeft: how many attempts are left, if the server reported it.
    ///   - pinChecked: whether an attempt may have been used.
    ///   - reason: why the call failed. A canceled one has the status NETWORK_ERROR.
    ///   - retryAfter: the number of seconds to wait, if the server sent it.
    public init(
        code: MPinStatus, attemptsLeft: Int? = nil, pinChecked: PINChecked = .no, reason: Reason = .other,
        retryAfter: Int? = nil
    ) {
        self.init(
            code, reason == .canceled ? MPinError.canceledSentence : code.sentence, attemptsLeft: attemptsLeft,
            pinChecked: pinChecked, cause: reason.cause)
        setRetryAfter(retryAfter)
    }
}

extension MPinError: Equatable {
    /// Compares what a program decides and advises by: the status, the reason, the attempts that are left, whether the
    /// PIN was checked, and the time to wait. ``message`` and ``httpStatus`` are for people and logs, and not compared.
    ///
    /// - Parameters:
    ///   - one: an error.
    ///   - other: the error to compare it with.
    public static func == (one: MPinError, other: MPinError) -> Bool {
        one.code == other.code && one.reason == other.reason && one.attemptsLeft == other.attemptsLeft
            && one.pinChecked == other.pinChecked && one.retryAfter == other.retryAfter
    }
}

extension MPinStatus {
    /// A sentence for an error of which only the status is known.
    fileprivate var sentence: Constant {
        switch self {
        case .ok: "The call succeeded."
        case .pinInputCanceled: "No PIN was given, or the new PIN is not allowed."
        case .cryptoError: "The cryptographic library failed, or a value is invalid."
        case .storageError: "The M-Pin store cannot be used."
        case .networkError: "The server cannot be reached."
        case .responseParseError: "The server's answer does not follow the protocol."
        case .flowError: "The call does not match the user's state."
        case .identityNotAuthorized: "The server does not authorize this identity."
        case .identityNotVerified: "The identity has not been verified yet."
        case .requestExpired: "The request has expired."
        case .revoked: "The server has revoked this registration."
        case .incorrectPIN: "Wrong PIN."
        case .incorrectAccessNumber: "The access number is unknown or expired."
        case .httpServerError: "The M-Pin server reported an error."
        case .httpRequestError: "The server refused the request."
        case .badUserAgent: "The server refuses this program."
        case .clientSecretExpired: "The server's keys were replaced: register again."
        }
    }
}
#endif

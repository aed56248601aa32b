// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinAgent

extension ExitStatus {
    init(_ error: MPinError) {
        self =
            switch error.code {
            case .ok: .done
            case .pinInputCanceled: .canceled
            case .cryptoError where error.cause == .closedTPM: .notPermitted
            case .cryptoError where error.cause == .absentTPM || error.cause == .noTPMLibrary: .noTPM
            case .cryptoError, .flowError: .internalFault
            // Another process holds the lock of the store.
            case .storageError where error.isLocal: .tryLater
            case .storageError where error.cause == .fewFiles: .internalFault
            case .storageError: .storage
            case .networkError where error.cause == .silentTPM: .unavailable
            case .networkError where error.isLocal: .internalFault
            case .networkError, .httpServerError: .unavailable
            case .httpRequestError where error.cause == .limited: .tryLater
            case .responseParseError, .httpRequestError, .badUserAgent: .protocolFault
            case .identityNotAuthorized: .notPermitted
            case .identityNotVerified: .notVerified
            case .requestExpired: .tryLater
            case .revoked: .revoked
            case .incorrectPIN: .wrongPIN
            case .incorrectAccessNumber: .badInput
            case .clientSecretExpired: .secretsExpired
            }
    }

    /// The exit status of `status --check` for a registration.
    init(of user: RegistrationSummary) {
        self =
            switch user.state {
            case .invalid: .notEnrolled
            case .startedRegistration, .activated: .notVerified
            case .blocked: .blocked
            case .registered:
                switch user.lastRefusal {
                case .revoked: .revoked
                case .clientSecretExpired: .secretsExpired
                default: .done
                }
            }
    }
}

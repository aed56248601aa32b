// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// The outcome of an SDK call, with the names and in the order of the Milagro mobile SDK.
///
/// ``name`` is used on disk, in logs and for programs. The order is not part of the contract.
///
/// Milagro: `MpinStatus`
public enum MPinStatus: Sendable, CaseIterable {
    /// The call succeeded.
    case ok
    /// No PIN was given, or a new PIN is not allowed; nothing was sent and nothing changed.
    case pinInputCanceled
    /// A share, permit or token is invalid, or the cryptographic library failed.
    case cryptoError
    /// The store cannot be read or written, a record in it is damaged, or another process has locked it.
    case storageError
    /// The server cannot be reached, or its identity cannot be verified.
    case networkError
    /// The server answered 200, but its answer does not follow the protocol.
    case responseParseError
    /// The call does not match the state of the user or of the SDK.
    case flowError
    /// The server's policy refuses this identity.
    case identityNotAuthorized
    /// The identity has not been verified yet.
    case identityNotVerified
    /// A started registration or login has expired.
    case requestExpired
    /// The server has refused the time permit or the login, because the registration or the user is revoked.
    case revoked
    /// The PIN was wrong, or there were too many wrong PINs before.
    case incorrectPIN
    /// The access number is malformed, unknown or expired.
    case incorrectAccessNumber
    /// The server failed (5xx, or a success code without a meaning here).
    case httpServerError
    /// The server refused the request (other 4xx).
    case httpRequestError
    /// The server refuses this client program (406).
    case badUserAgent
    /// The server's master secret was replaced, or the server does not know this device. The user must register again.
    case clientSecretExpired

    /// The Milagro name, such as `INCORRECT_PIN`.
    package var word: Constant {
        switch self {
        case .ok: "OK"
        case .pinInputCanceled: "PIN_INPUT_CANCELED"
        case .cryptoError: "CRYPTO_ERROR"
        case .storageError: "STORAGE_ERROR"
        case .networkError: "NETWORK_ERROR"
        case .responseParseError: "RESPONSE_PARSE_ERROR"
        case .flowError: "FLOW_ERROR"
        case .identityNotAuthorized: "IDENTITY_NOT_AUTHORIZED"
        case .identityNotVerified: "IDENTITY_NOT_VERIFIED"
        case .requestExpired: "REQUEST_EXPIRED"
        case .revoked: "REVOKED"
        case .incorrectPIN: "INCORRECT_PIN"
        case .incorrectAccessNumber: "INCORRECT_ACCESS_NUMBER"
        case .httpServerError: "HTTP_SERVER_ERROR"
        case .httpRequestError: "HTTP_REQUEST_ERROR"
        case .badUserAgent: "BAD_USER_AGENT"
        case .clientSecretExpired: "CLIENT_SECRET_EXPIRED"
        }
    }
}

extension MPinStatus {
    /// The refusals that apply until the server answers differently.
    static var lasting: [MPinStatus] { [.revoked, .clientSecretExpired] }
}

/// The outcome of an SDK call, in the order and by the names of the Milagro mobile SDK.
///
/// ``name`` is what goes to disk, into logs and to programs; the order is not part of the contract.
///
/// Milagro: `MpinStatus`
public enum MPinStatus: Sendable, CaseIterable {
    /// Done.
    case ok
    /// No PIN was given, or a new PIN is not one that can be set; nothing was sent and nothing changed.
    case pinInputCanceled
    /// A share, permit or token is not what it should be, or the cryptographic library failed.
    case cryptoError
    /// The store cannot be read or written, a record in it is damaged, or another process keeps it locked.
    case storageError
    /// The server cannot be reached, or not be trusted to be itself.
    case networkError
    /// The server answered 200 with something else than the answer.
    case responseParseError
    /// The call does not fit the state of the user or of the SDK.
    case flowError
    /// The server's policy refuses this identity.
    case identityNotAuthorized
    /// The identity has not been verified yet.
    case identityNotVerified
    /// What was started has lapsed.
    case requestExpired
    /// The server has refused the time permit or the login, because the user is revoked.
    case revoked
    /// The PIN was wrong, or too many wrong ones came before.
    case incorrectPIN
    /// The access number is malformed, unknown or expired.
    case incorrectAccessNumber
    /// The server failed (5xx, or a success code that means nothing here).
    case httpServerError
    /// The server refused the request (other 4xx).
    case httpRequestError
    /// The server refuses this client (406).
    case badUserAgent
    /// The master secret has been replaced, or the server does not know this device; the user must register again.
    case clientSecretExpired

    /// The Milagro name, such as `INCORRECT_PIN`.
    public var name: StaticString {
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

internal import MPinWire

/// Where a login ends, and what pass 2 has to say for it.
enum FinalCall {
    case authenticate
    /// The same, for a user who is about to choose another PIN.
    case changePIN
    /// The same, and the server issues a one-time password.
    case oneTimePassword
    /// Signs in the session that waits behind an access number or a scanned code.
    case accessNumber(ByteText)
    /// Logs in and asks for what only the owner of the registration may have.
    case owner(OwnerCall)

    /// How long servers keep a login by access number waiting, in milliseconds.
    static let longestHold = 10_000

    /// The session that this login is for.
    var session: ByteText? {
        switch self {
        case .accessNumber(let number): number
        case .authenticate, .changePIN, .oneTimePassword, .owner: nil
        }
    }

    var wantsOTP: Bool {
        switch self {
        case .oneTimePassword: true
        case .authenticate, .changePIN, .accessNumber, .owner: false
        }
    }
}

extension FinalCall {
    /// The same in a login that the device signs; nil for what this build has none of.
    var purpose: DirectPurpose? {
        switch self {
        case .authenticate: .login
        case .changePIN: .changePIN
        #if hasFeature(Embedded)
        case .oneTimePassword, .accessNumber, .owner: nil
        #else
        case .oneTimePassword: .oneTimePassword
        case .accessNumber(let code): .session(code)
        case .owner(let call): call.purpose
        #endif
        }
    }

    /// Whether it is one by which a registration may be given a key.
    var takesKey: Bool {
        switch self {
        case .authenticate, .changePIN: true
        case .oneTimePassword, .accessNumber, .owner: false
        }
    }
}

/// What a server gave for a login that it accepted.
///
/// A class because it is handed on, and long to copy.
final class AcceptedLogin: Sendable {
    let answer: AuthenticateResponse
    /// Six digits, where a one-time password was asked for and issued.
    let otp: [UInt8]?

    init(answer: AuthenticateResponse, otp: [UInt8]?) {
        self.answer = answer
        self.otp = otp
    }
}

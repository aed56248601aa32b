// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// The purpose of a login, which decides its final call and what pass 2 announces.
enum FinalCall {
    case authenticate
    /// A login of a user who is about to choose another PIN.
    case changePIN
    /// A login for which the server issues a one-time password.
    case oneTimePassword
    /// Signs in the session that waits behind an access number or a scanned code.
    case accessNumber(ByteText)
    /// Logs in and requests something that only the owner of the registration may have.
    case owner(OwnerCall)

    /// How long servers delay the answer to a login by access number, in milliseconds.
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
    /// The purpose in a login that the device signs; nil if this build has no such purpose.
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

    /// Whether a login for this purpose may give the registration a key.
    var takesKey: Bool {
        switch self {
        case .authenticate, .changePIN: true
        case .oneTimePassword, .accessNumber, .owner: false
        }
    }
}

/// The server's answer to a login that it accepted.
///
/// It is a class because it is passed on and expensive to copy.
final class AcceptedLogin: Sendable {
    let answer: AuthenticateResponse
    /// Six digits if a one-time password was requested and issued.
    let otp: [UInt8]?

    init(answer: AuthenticateResponse, otp: [UInt8]?) {
        self.answer = answer
        self.otp = otp
    }
}

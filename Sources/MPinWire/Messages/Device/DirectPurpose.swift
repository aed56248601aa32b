// SPDX-License-Identifier: Apache-2.0

/// The purpose of a direct login: a word, and an argument if the word needs one.
package enum DirectPurpose: Sendable, Equatable {
    /// A login of the device itself.
    case login
    /// A login to set another PIN.
    case changePIN
    /// The server issues a one-time password.
    case oneTimePassword
    /// Signs in the session behind an access number or a code, if the server gives the details of that session with
    /// this digest. Nil for a device that has shown none.
    case session(ByteText, details: HexText?)
    /// Revokes a registration of the same user, by its M-Pin ID.
    case revoke(HexText)
    case owner(OwnerAction)

    /// The word on the wire.
    package var word: ByteText {
        switch self {
        case .login: "login"
        case .changePIN: "changePin"
        case .oneTimePassword: "otp"
        case .session: "session"
        case .revoke: "revoke"
        case .owner(let action): action.word
        }
    }

    /// The argument on the wire; empty for none.
    package var argument: ByteText {
        switch self {
        case .login, .changePIN: ByteText()
        case .oneTimePassword: ByteText()
        case .session(let code, let details): details.map { code + ":" + $0.lowercased.digits } ?? code
        case .revoke(let mpinID): mpinID.lowercased.digits
        case .owner(let action): action.argument
        }
    }

    /// The longest argument, in bytes: an M-Pin ID in hexadecimal.
    private static var longest: Int { 2 * MPinIDRecord.longest }

    /// Reads the word and the argument. Unknown words are refused, and so are arguments that are not in their only
    /// valid form.
    package init(word: ByteText, argument: ByteText) throws(WireError) {
        guard argument.count <= Self.longest else { throw .invalid(.argument) }
        self = try Self.purpose(word, argument)
        guard self.argument == argument else { throw .invalid(.argument) }
    }

    private static func purpose(_ word: ByteText, _ argument: ByteText) throws(WireError) -> DirectPurpose {
        if word.matches("login") { return .login }
        if word.matches("changePin") { return .changePIN }
        if word.matches("otp") { return .oneTimePassword }
        if word.matches("session") {
            let parts = argument.parts(between: ":")
            guard parts.count <= 2, let code = parts.first, PassTwoRequest.isCode(code.string) else {
                throw .invalid(.argument)
            }
            guard parts.count == 2 else { return .session(code, details: nil) }
            let digits = parts[1].bytes
            guard let details = HexText(text: digits.span), details.bytes.count == 32 else {
                throw .invalid(.argument)
            }
            return .session(code, details: details)
        }
        if word.matches("revoke") {
            guard let mpinID = HexText(text: argument.bytes.span), !mpinID.bytes.isEmpty else {
                throw .invalid(.argument)
            }
            return .revoke(mpinID)
        }
        return .owner(try OwnerAction(word: word, argument: argument))
    }
}

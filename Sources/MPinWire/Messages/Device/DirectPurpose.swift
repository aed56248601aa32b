// SPDX-License-Identifier: Apache-2.0

/// The purpose of a direct login: a word, and an argument if the word needs one.
package enum DirectPurpose: Sendable, Equatable {
    /// A login of the device itself.
    case login
    /// A login to set another PIN.
    case changePIN
    /// The server issues a one-time password.
    case oneTimePassword
    /// Signs in the session behind an access number or a code.
    case session(ByteText)
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
        case .session(let code): code
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
            guard PassTwoRequest.isCode(argument.string) else { throw .invalid(.argument) }
            return .session(argument)
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

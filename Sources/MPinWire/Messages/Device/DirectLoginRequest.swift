// SPDX-License-Identifier: Apache-2.0

/// A login in one request, signed by the device; an extension.
///
/// `DirectLogin` of MPinCrypto defines the signed content, and the challenge that V answers.
package struct DirectLoginRequest: Sendable {
    /// Where servers with a key take it, below their address. Clients with a pin use this path, because settings are
    /// not proven.
    package static var path: Constant { "/mpinDirect" }

    package let mpinID: HexText
    /// 65 bytes.
    package let u: [UInt8]
    /// 65 bytes.
    package let v: [UInt8]
    /// Milliseconds since 1970-01-01 UTC.
    package let time: Int
    package let purpose: DirectPurpose
    /// 64 bytes.
    package let signature: HexText

    package init(mpinID: HexText, u: [UInt8], v: [UInt8], time: Int, purpose: DirectPurpose, signature: HexText) {
        (self.mpinID, self.u, self.v, self.time) = (mpinID, u, v, time)
        (self.purpose, self.signature) = (purpose, signature)
    }

    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.passMPinID, mpinID)
        writer.add(.u, hex: u.span)
        writer.add(.v, hex: v.span)
        writer.add(.time, time)
        writer.add(.purpose, purpose.word)
        let argument = purpose.argument
        if !argument.isEmpty { writer.add(.argument, argument) }
        writer.add(.signature, signature)
        return writer.finish()
    }

    package static func decode(_ body: Span<UInt8>) throws(WireError) -> DirectLoginRequest {
        let object = try JSONObject(request: body)
        let time = try object.integer(.time, in: body)
        guard time > 0 else { throw .invalid(.time) }
        return DirectLoginRequest(
            mpinID: try object.hexText(.passMPinID, count: 1...MPinIDRecord.longest, in: body),
            u: try object.point(.u, in: body), v: try object.point(.v, in: body), time: time,
            purpose: try DirectPurpose(
                word: object.text(.purpose, in: body),
                argument: object.optionalText(.argument, in: body) ?? ByteText()),
            signature: try object.hexText(
                .signature, count: DeviceKeyFormat.signature...DeviceKeyFormat.signature, in: body))
    }
}

/// The refusals of a direct login, by the HTTP status that the server sends and the client interprets. A status request
/// is refused with the same statuses, but has no PIN. docs/device-login.md describes each.
package enum DirectRefusal: Int, CaseIterable, Sendable {
    /// Nothing was judged.
    case malformed = 400
    /// The wrong PIN, and tries are left.
    case wrongPIN = 401
    case revoked = 403
    /// No such registration, no key, or a wrong signature.
    case unknownDevice = 404
    /// The time is too far from the server's, which the answer names.
    case offTime = 408
    /// This U was used before, so another copy of the request was judged.
    case replayed = 409
    /// The last wrong PIN, or blocked before.
    case blocked = 410
    /// The right PIN, but the access number is of no session.
    case unknownSession = 412
    /// The right PIN for something that it cannot have. This status is used for nothing else, so that no refusal of the
    /// action reads as one of the device.
    case unmet = 422
    /// Too many requests of unknown devices, or too many wrong access numbers.
    case limited = 429
    /// The server could not begin.
    case unavailable = 503
    /// The right PIN, but the session did not accept the login in time.
    case late = 504

    /// Whether the PIN was judged and counted, as a client must assume; nil if the status does not tell: something
    /// between client and server may send it too.
    package var isJudged: Bool? {
        switch self {
        case .malformed, .revoked, .unknownDevice, .offTime, .limited: false
        case .wrongPIN, .blocked, .unknownSession, .unmet: true
        // A copy of the request arrived first. An attacker can withhold the answer to it, which had the verdict.
        case .replayed: nil
        // The server may have been unable to find out whether it has counted the attempt.
        case .late, .unavailable: nil
        }
    }
}

/// The purpose of a direct login: a word, and an argument if the word needs one.
package enum DirectPurpose: Sendable, Equatable {
    /// A login of the device itself.
    case login
    case changePIN
    case oneTimePassword
    /// Signs in the session behind an access number or a code, if the server gives the details of that session with
    /// this digest. Nil for a device that has shown none.
    case session(ByteText, details: HexText?)
    /// Revokes a registration of the same user, by its M-Pin ID.
    case revoke(HexText)
    case owner(OwnerAction)
    /// Issues an ssh certificate for the public key in this text; see ``SSHPublicKeyText``.
    case sshCertificate(ByteText)

    package var word: ByteText {
        switch self {
        case .login: "login"
        case .changePIN: "changePin"
        case .oneTimePassword: "otp"
        case .session: "session"
        case .revoke: "revoke"
        case .owner(let action): action.word
        case .sshCertificate: "sshCertificate"
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
        case .sshCertificate(let key): key
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
            guard parts.count <= 2, let code = parts.first, PassTwoRequest.isCode(code) else {
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
        if word.matches("sshCertificate") {
            guard SSHPublicKeyText.isValid(argument) else { throw .invalid(.argument) }
            return .sshCertificate(argument)
        }
        return .owner(try OwnerAction(word: word, argument: argument))
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The application's answer to a login that succeeded.
///
/// The protocol of 2016 leaves this body to the application. This type reads the answers of `mpin-server`. The required
/// members are checked when it is read; members that only some callers need are looked up on request.
package struct AuthenticateResponse: Sendable {
    package let userID: ByteText?
    /// The server's permanent name.
    package let serverID: HexText?
    package let revoked: Bool?
    package let isEmpty: Bool

    private let body: [UInt8]
    private let object: JSONObject

    /// Reads an application's answer. An empty body counts as an empty object; see ``isEmpty``.
    ///
    /// An identity or a server's name of another form, including null, is an error: they decide whether the login
    /// counts.
    package init(_ answer: Span<UInt8>) throws(WireError) {
        let object = try JSONObject(answer, allowsEmpty: true)
        userID = object.contains(.userID, in: answer) ? try object.text(.userID, in: answer) : nil
        serverID =
            object.contains(.serverID, in: answer) ? try object.hexText(.serverID, count: 1...64, in: answer) : nil
        revoked = try object.optionalFlag(.revoked, in: answer)
        isEmpty = JSONObject.isBlank(answer)
        body = ByteText(answer).bytes
        self.object = object
    }

    /// The JSON text of the whole answer, `{}` for an empty body.
    package var raw: ByteText { isEmpty ? "{}" : ByteText(body) }

    /// A text for display; nil if it is missing or of another type.
    package func text(_ field: MemberName) -> ByteText? { object.displayText(field, in: body.span) }

    /// The address for a logout, after a login by access number; nil if it is missing or empty.
    package var logoutURL: ByteText? { text(.logoutURL).flatMap { $0.isEmpty ? nil : $0 } }

    /// The body of that logout: JSON text of an object; nil if it is missing or anything else.
    package var logoutData: [UInt8]? {
        object.optional(.logoutData, in: body.span)?.kind == .object ? object.raw(.logoutData, in: body.span) : nil
    }

    /// How many wrong PINs there were since this registration last logged in; nil if missing or not such a number.
    package var wrongSinceLastLogin: Int? { count(.wrongSinceLastLogin) }

    /// How many tries are left although the PIN was right, sent if there were many wrong PINs in the last weeks; nil if
    /// missing or not such a number.
    package var attemptsLeft: Int? { count(.attemptsLeft) }

    private func count(_ field: MemberName) -> Int? {
        object.displayInteger(field, in: body.span).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The times of a one-time password; nil if there is none.
    package var otpTimes: OneTimePasswordTimes? { OneTimePasswordTimes(object, in: body.span) }
}

extension AuthenticateResponse {
    /// - Parameters:
    ///   - logoutData: the body of a logout: JSON text of an object.
    ///   - otp: the digits of a one-time password, in the answer to a direct login.
    package static func encode(
        userID: String? = nil, serverID: HexText? = nil, revoked: Bool? = nil, message: String? = nil,
        logoutURL: String? = nil, logoutData: [UInt8]? = nil, otp: [UInt8]? = nil,
        otpTimes: OneTimePasswordTimes? = nil,
        wrongSinceLastLogin: Int? = nil, attemptsLeft: Int? = nil, code: String? = nil, sshCertificate: String? = nil
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.status, 200)
        writer.add(.message, message ?? "Authentication successful")
        writer.add(.userID, ifPresent: userID)
        if let serverID { writer.add(.serverID, serverID) }
        if let revoked { writer.add(.revoked, revoked) }
        writer.add(.logoutURL, ifPresent: logoutURL)
        if let logoutData { writer.add(.logoutData, json: logoutData) }
        if let otp { writer.add(.otp, ByteText(otp)) }
        if let otpTimes {
            writer.add(.expireTime, otpTimes.expireMilliseconds)
            writer.add(.ttlSeconds, otpTimes.ttlSeconds)
            writer.add(.nowTime, otpTimes.nowMilliseconds)
        }
        if let wrongSinceLastLogin { writer.add(.wrongSinceLastLogin, wrongSinceLastLogin) }
        if let attemptsLeft { writer.add(.attemptsLeft, attemptsLeft) }
        writer.add(.code, ifPresent: code)
        writer.add(.sshCertificate, ifPresent: sshCertificate)
        return writer.finish()
    }
}

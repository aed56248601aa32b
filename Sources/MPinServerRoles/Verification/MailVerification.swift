// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// Verifies that the client that registers a mail address can read its mail.
struct MailVerification: LinkVerification, ServerComponent {
    /// A mail that may be sent: it is within the rate limits, and has a place in the queue.
    struct Permission: Sendable {
        fileprivate let address: MailAddress
        fileprivate let place: Places.Taken
    }

    let context: ServerContext
    let queue: MailQueue
    let key: SigningKey
    let sender: String

    /// The mail address of a user ID; nil if it is not an address, or if the configuration sends no mails to it.
    static func address(of user: String, _ configuration: RoleConfiguration) -> MailAddress? {
        guard configuration.verifiesByMail, let address = MailAddress(user) else { return nil }
        let domains = configuration.mail.domains
        return domains.isEmpty || domains.contains(address.domain) ? address : nil
    }

    /// Asks for a mail to a user. The answer is the same for all user IDs, so that it does not show which are
    /// registered.
    ///
    /// - Returns: nil if no mails are sent to this user ID.
    /// - Throws: ``Refusal`` 429 if it is too early, 503 if too many mails wait.
    func permit(_ user: String, source: RequestSource) throws -> Permission? {
        guard let address = Self.address(of: user, configuration) else { return nil }
        guard let place = queue.places.take() else {
            throw Refusal(503, "Too many mails are waiting to be sent; try again later", retryAfter: 60)
        }
        let limits = MailLimits(
            perMailboxAndDay: configuration.mail.perMailbox, perSourceAndHour: configuration.mail.perSource)
        let wait = try store.countMail(to: address.mailbox, source: source.text, now: clock.now.seconds, limits: limits)
        if let wait {
            throw Refusal(429, "A mail was already sent; another one is possible in \(wait) s", retryAfter: Int(wait))
        }
        return Permission(address: address, place: place)
    }

    /// Queues a mail that activates a registration. The registration remains even if the mail cannot be sent.
    ///
    /// A suspended user gets a mail about the suspension, which activates nothing. The client that requested it sees no
    /// difference: digits are stored for this user too, but they are not sent and would activate nothing.
    func send(_ permission: Permission, registration: [UInt8], expires: Timestamp, source: RequestSource) throws {
        let code = try MailCode()
        let now = clock.now
        guard let link = try MailCode.hash(token: code.token, key: key) else { throw Refusal.failure }
        let user = permission.address.text
        try store.addMail(
            NewMail(
                link: link, digits: try MailCode.hash(digits: code.digits, registration: registration, key: key),
                registration: registration, user: user, source: source.mailText, expires: expires.seconds),
            now: now.seconds)
        let suspension = try store.suspension(barring: user)
        let message = MailMessage(
            senderName: configuration.serviceName, sender: sender, recipient: permission.address,
            subject: suspension == nil ? "Confirm your address" : "A device could not be set up",
            body: suspension.map { text($0, user: user, source: source, now: now) }
                ?? text(code, user: user, source: source, now: now, expires: expires), time: now)
        let (audit, clock) = (audit, clock)
        queue.send(try message.encode(), to: permission.address, in: permission.place) { failure in
            audit.add(
                AuditEvent(
                    failure.map { .mailFailed(reason: $0) } ?? .mailSent, at: clock.now, user: user,
                    source: source.text))
        }
    }

    func verify(_ digits: String, registration: [UInt8], user: String, source: RequestSource) throws -> DigitsVerdict {
        guard let address = MailAddress(user) else { return .void }
        let now = clock.now
        return try store.activateRegistration(
            registration, digits: try MailCode.hash(digits: digits, registration: registration, key: key),
            mailbox: address.mailbox, source: source.text, now: now.seconds,
            event: AuditEvent(.activated(.digits), at: now, user: user, source: source.text, actor: user))
    }

    var tokenDigits: Int { 32 }

    func registration(token: String) throws -> LinkedRegistration? {
        guard let link = try MailCode.hash(token: token, key: key) else { return nil }
        return try store.registration(ofLink: link, now: clock.now.seconds)
    }

    func isConfirmed(token: String) throws -> Bool {
        guard let link = try MailCode.hash(token: token, key: key) else { return false }
        return try store.isConfirmed(ofLink: link, now: clock.now.seconds)
    }

    func activate(token: String, source: RequestSource) throws -> Bool {
        guard let link = try MailCode.hash(token: token, key: key) else { return false }
        let now = clock.now
        return try store.activateRegistration(ofLink: link, now: now.seconds) { user in
            AuditEvent(.activated(.link), at: now, user: user, source: source.text, actor: user)
        }
    }

    /// The mail to a suspended user. It includes the administrator's reason, which the user's devices show as well.
    private func text(_ suspension: Suspension, user: String, source: RequestSource, now: Timestamp) -> String {
        let origin = source.mailText.map { ", from \($0)" } ?? ""
        let reason = suspension.reason.map { "\nReason: \($0)\n" } ?? ""
        return """
            A device tried to enroll, so that it can sign in to
            \(configuration.serviceName) as \(user)
            (\(now.readable)\(origin)).

            The server refused it: an administrator has suspended this user.
            \(reason)
            If this was you, ask the administrator to restore the user or to
            invite you. If not, do nothing.
            """
    }

    /// The text of the mail. It contains nothing that the requesting client chose, except the address itself.
    private func text(_ code: MailCode, user: String, source: RequestSource, now: Timestamp, expires: Timestamp)
        -> String
    {
        let digits = "\(code.digits.prefix(3)) \(code.digits.suffix(3))"
        let origin = source.mailText.map { ", from \($0)" } ?? ""
        return """
            A device is being set up to sign in to
            \(configuration.serviceName) as \(user)
            (\(now.readable)\(origin)).

            If this is you, type this code on the device:

                \(digits)

            or open this link and press the button:

            \(context.publicURL)\(ServerEndpoint.activationPage.path)?t=\(code.token)

            Either works once, until \(expires.readable).

            If this is not you, do nothing. Do not give the code or the link to
            anyone. The device cannot be set up without them.
            """
    }
}

extension RequestSource {
    /// The source in mails and on the page behind their links; nil unless it is a network address.
    fileprivate var mailText: String? { if case .address(let text) = self { text } else { nil } }
}

extension Timestamp {
    /// `2026-06-15 12:00 UTC`
    var readable: String { "\(zulu.prefix(10)) \(zulu.dropFirst(11).prefix(5)) UTC" }
}

extension MailCode {
    static func hash(digits: String, registration: [UInt8], key: SigningKey) throws(CryptoError) -> [UInt8] {
        try key.sign(["digits", HexText(bytes: registration).string, digits])
    }

    /// The stored form of a link's token; nil if it is malformed.
    static func hash(token: String, key: SigningKey) throws(CryptoError) -> [UInt8]? {
        guard let bytes = Hex.decode(Array(token.utf8).span), bytes.count == 16 else { return nil }
        return try key.sign(["link", HexText(bytes: bytes).string])
    }
}

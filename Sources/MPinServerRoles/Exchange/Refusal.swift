// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import MPinServerStorage
internal import MPinWire

/// The reason for which the server refuses a request. The message is for developers of clients, and never repeats
/// input.
package struct Refusal: Error, Sendable {
    let status: Int
    let message: String
    let attemptsLeft: Int?
    /// An administrator's reason for revoking the registration, which only its holder sees. Shortened to the length that
    /// clients show.
    let reason: String?
    /// The methods that the path accepts, if the method was wrong.
    let allowed: String?
    /// Seconds after which a retry is useful.
    let retryAfter: Int?
    /// The time that a direct login should have, in milliseconds.
    let nowTime: Int64?

    package init(
        _ status: Int, _ message: String, attemptsLeft: Int? = nil, reason: String? = nil, allowed: String? = nil,
        retryAfter: Int? = nil, nowTime: Int64? = nil
    ) {
        (self.status, self.message, self.attemptsLeft) = (status, message, attemptsLeft)
        self.reason = reason.map(Self.shortened)
        self.allowed = allowed
        self.retryAfter = retryAfter ?? (status == 429 ? 30 : nil)
        self.nowTime = nowTime
    }

    init(
        _ refusal: DirectRefusal, _ message: String, attemptsLeft: Int? = nil, reason: String? = nil,
        retryAfter: Int? = nil, nowTime: Int64? = nil
    ) {
        self.init(
            refusal.rawValue, message, attemptsLeft: attemptsLeft, reason: reason, retryAfter: retryAfter,
            nowTime: nowTime)
    }

    static let unknownPath = Refusal(404, "URI NOT FOUND")
    /// The refusal of a rate limit, which names what the limit counts.
    static func rateLimited(_ source: RequestSource) -> Refusal {
        let origin =
            switch source {
            case .device: "from this device"
            case .password, .account: "for this user"
            case .user, .address, .unknown: "from this source"
            }
        return Refusal(.limited, "Too many failed attempts \(origin); try again later")
    }
    /// The refusal of what would be stored, although nothing failed: there is too much of it.
    static let tooMany = Refusal(.limited, "Too many requests of this kind; try again later")
    static let failure = Refusal(500, "Internal Server Error")
    /// Another process holds the lock of the database.
    static let locked = Refusal(
        .unavailable, "The server cannot write at the moment; nothing was changed, try again", retryAfter: 5)
    static let stopping = Refusal(.unavailable, "The server is stopping")
    /// The waiting side did not redeem the login in time.
    static let timedOut = Refusal(408, "Authentication timed out")
    /// A direct login whose time is not near the server's.
    static func offTime(_ now: Int64) -> Refusal {
        Refusal(.offTime, "This device's clock is too far from the server's; nothing was verified", nowTime: now)
    }
    /// Nothing can be written, so nothing was verified.
    static let unwritable = Refusal(
        503, "The server cannot record login attempts; nothing was verified or counted, try again later", retryAfter: 10
    )
    /// An attempt that was verified, but not settled. The answer does not show whether the PIN was right.
    static let unsettled = Refusal(
        503, "The server cannot record the result of this login, so it reports none; try again later", retryAfter: 10)
    /// A direct login whose commitment was used before.
    static let replayed = Refusal(.replayed, "This login was already used")
    /// No such registration, no key, or a wrong signature. The answer does not show which.
    static let unknownDevice = Refusal(.unknownDevice, "The device is not known")
    /// A wrong PIN, or the last one, which blocks the registration.
    static func wrongPIN(attemptsLeft: Int) -> Refusal {
        Refusal(attemptsLeft > 0 ? .wrongPIN : .blocked, "Wrong PIN.", attemptsLeft: attemptsLeft)
    }
    /// A revoked registration, with an administrator's reason for its holder.
    static func revoked(_ registration: RegistrationEntry?) -> Refusal {
        Refusal(.revoked, "Revoked", reason: registration?.reason)
    }
    static let notLoggedIn = Refusal(401, "Not logged in")
    /// CSRF: a page of another origin made the browser send the request.
    static let otherOrigin = Refusal(403, "The request does not come from a page of this server")
    static let noSuchNumber = Refusal(.unknownSession, "Invalid or expired access number")

    /// The refusal of a request that cannot be answered. Logs the failures of the server.
    static func of(_ error: any Error, _ logger: Logger) -> Refusal {
        if let refusal = error as? Refusal { return refusal }
        let fault = error as? ServerError
        logger.error("request failed", metadata: ["reason": "\(fault?.message ?? "\(error)")"])
        return fault?.kind == .unavailable ? .locked : .failure
    }

    private static func shortened(_ reason: String) -> String {
        var short = String.UnicodeScalarView()
        var length = 0
        for scalar in reason.unicodeScalars {
            length += UTF8.width(scalar)
            guard length <= 200 else { break }
            short.append(scalar)
        }
        return String(short)
    }

    static func badInput(_ error: WireError, status: Int) -> Refusal {
        let reason =
            switch error {
            case .tooLarge: "too large"
            case .malformed: "not a JSON object"
            case .missing(let field): "\(field.name) argument missing"
            case .invalid(let field): "\(field.name) argument invalid"
            }
        return Refusal(status, "Invalid data received. \(reason)")
    }
}

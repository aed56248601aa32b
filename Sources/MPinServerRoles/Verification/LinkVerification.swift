internal import MPinServerStorage

/// Finds and activates the registrations behind links.
protocol LinkVerification: Sendable {
    /// How many hexadecimal digits the token in a link has.
    var tokenDigits: Int { get }

    /// The registration behind a token; nil for none that waits.
    func registration(token: String) throws -> LinkedRegistration?

    /// Whether the registration behind a token is confirmed already.
    func isConfirmed(token: String) throws -> Bool

    /// Activates the registration behind a token, once.
    func activate(token: String, source: RequestSource) throws -> Bool
}

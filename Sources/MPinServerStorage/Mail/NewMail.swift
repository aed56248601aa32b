/// What the database keeps of a mail that is about to be sent.
struct NewMail: Sendable {
    /// Keyed hash of the token in its link.
    let link: [UInt8]
    /// Keyed hash of its digits.
    let digits: [UInt8]
    /// SHA-256 of the M-Pin ID it activates.
    let registration: [UInt8]
    let user: String
    /// The network address that began the registration, which the page behind the link shows; nil for a local source.
    let source: String?
    let expires: Int64
}

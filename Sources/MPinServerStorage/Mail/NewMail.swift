// SPDX-License-Identifier: Apache-2.0

/// What the database stores about a mail that is about to be sent.
package struct NewMail: Sendable {
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

    package init(link: [UInt8], digits: [UInt8], registration: [UInt8], user: String, source: String?, expires: Int64) {
        self.link = link
        self.digits = digits
        self.registration = registration
        self.user = user
        self.source = source
        self.expires = expires
    }
}

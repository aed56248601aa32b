// SPDX-License-Identifier: Apache-2.0

/// The refusals of a direct login, by the HTTP status that the server sends and the client interprets. A status request
/// is refused with the same statuses, but has no PIN. docs/device-login.md describes each.
package enum DirectRefusal: Int, CaseIterable, Sendable {
    /// Nothing was judged.
    case malformed = 400
    /// The wrong PIN, and tries are left.
    case wrongPIN = 401
    /// The registration is revoked.
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
        case .malformed, .revoked, .unknownDevice, .offTime, .limited, .unavailable: false
        case .wrongPIN, .blocked, .unknownSession, .unmet: true
        // A copy of the request arrived first. An attacker can withhold the answer to it, which had the verdict.
        case .replayed: nil
        case .late: nil
        }
    }
}

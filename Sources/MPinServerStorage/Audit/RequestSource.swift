// SPDX-License-Identifier: Apache-2.0

/// The source of a request, as far as the server knows it for certain.
package enum RequestSource: Hashable, Sendable {
    /// A process of this host, by its user id.
    case user(UInt32)
    /// A network address. Of an IPv6 address only the first 64 bits, because one holder has all addresses of such a
    /// network.
    case address(String)
    /// A device whose signature was valid, by the number of its registration in the database.
    case device(Int64)
    /// The one-time passwords of a user, at a host that has presented its secret; by the name of the host and the user
    /// ID.
    case password(host: String, user: String)
    /// All clients that are a user's devices, or that only name this user.
    case account(String)
    case unknown

    package var text: String {
        switch self {
        case .user(let id): "uid \(id)"
        case .address(let text): text
        case .device: "signed device"
        case .password(let host, _): "host \(host)"
        case .account(let user): "user \(user)"
        case .unknown: "unknown"
        }
    }
}

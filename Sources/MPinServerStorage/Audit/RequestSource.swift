/// The source of a request, as far as the server can tell for certain.
package enum RequestSource: Hashable, Sendable {
    /// A process of this host, by its user id.
    case user(UInt32)
    /// A network address; of IPv6 the first 64 bits, which one holder has to himself.
    case address(String)
    /// A device whose signature was good, by the number of its registration in the database.
    case device(Int64)
    /// A user's one-time passwords at a host that has shown its secret, by the name of the host and the user ID.
    case password(host: String, user: String)
    /// Not known.
    case unknown

    /// As the audit log has it.
    package var text: String {
        switch self {
        case .user(let id): "uid \(id)"
        case .address(let text): text
        case .device: "signed device"
        case .password(let host, _): "host \(host)"
        case .unknown: "unknown"
        }
    }
}

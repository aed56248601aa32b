/// What is decided once, at initialization.
struct FixedSettings: Sendable {
    /// The application id of 32 hexadecimal digits.
    let appID: String
    /// The lasting name of this server, 16 bytes.
    let serverID: [UInt8]
    let publicURL: String?
    /// The sealed master shares, by the numbers of their authorities.
    let shares: [Int: [UInt8]]
    let role: ServerRole
    /// What only this role has, by the names of the settings.
    var texts: [String: String] = [:]
}

/// What is decided once, at initialisation.
struct FixedSettings: Sendable {
    /// The application id of 32 hexadecimal digits.
    let appID: String
    /// The lasting name of this server, 16 bytes.
    let serverID: [UInt8]
    let publicURL: String?
    /// The sealed master shares of the authorities 1 and 2.
    let shares: [[UInt8]]
}

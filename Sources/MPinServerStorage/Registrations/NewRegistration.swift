/// A registration that is about to be made.
struct NewRegistration: Sendable {
    /// SHA-256 of the M-Pin ID.
    let hash: [UInt8]
    let user: String
    let device: String
    let mobile: Int
    let state: RegistrationRecord.State
    /// SHA-256 of the one-time token.
    let ott: [UInt8]
    let created: Int64
    let expires: Int64
    /// JSON.
    let userData: String?
    /// The public half of the device's key; nil for a client without one.
    let deviceKey: [UInt8]?
}

import MPin

extension MPinError {
    /// Whether the failure lies in this process or machine and says nothing about the server.
    var isLocal: Bool { origin == .caller }
}

extension User {
    /// Why the administrator revoked the registration, as far as the server has said.
    var reasonOfRefusal: String? { nil }
}

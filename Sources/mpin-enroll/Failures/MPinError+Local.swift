import MPin

extension MPinError {
    /// Whether the failure lies in this process or machine and says nothing about the server.
    var isLocal: Bool { origin == .caller }
}

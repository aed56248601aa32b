import MPin

extension MPinError {
    /// Whether the failure was caused by this process or machine and not by the server.
    var isLocal: Bool { origin == .caller }
}

internal import MPin
internal import MPinWire

extension LoginOutcome {
    /// What the administrator needs to know beyond the word, or nil.
    var reason: ByteText? {
        switch self {
        case .storeUnusable(let text), .misconfigured(let text): text
        case .serverAbsent: "the server's socket does not exist"
        case .storeClosed: "this process may not read the store"
        case .elsewhere: "a PIN is changed where its token lies"
        case .unattended: "nobody can be asked by this service"
        case .methodUnavailable(let method, let setting):
            "method " + ByteText(method.name) + " is not in this version; " + ByteText(setting.name)
                + "=pin asks for the PIN"
        default: nil
        }
    }
}

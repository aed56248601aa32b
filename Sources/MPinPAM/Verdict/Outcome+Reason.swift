internal import MPin

extension Outcome {
    /// What the administrator needs to know beyond the word, or nil.
    var reason: String? {
        switch self {
        case .storeUnusable(let text), .misconfigured(let text): text
        case .storeClosed: "this process may not read the store"
        case .elsewhere: "a PIN is changed where its token lies"
        case .unattended: "nobody can be asked by this service"
        case .methodUnavailable(let method, let setting):
            "method " + method.name.text + " is not in this version; " + setting.name.text + "=pin asks for the PIN"
        default: nil
        }
    }
}

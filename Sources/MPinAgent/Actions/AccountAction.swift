// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem

/// An action for one account, on the registrations of that account only.
package enum AccountAction: Sendable {
    /// Reads the record.
    ///
    /// - Parameter asksServers: whether each server is asked for its present key.
    case read(asksServers: Bool)
    /// A request without a PIN: rejects the session with this access number.
    case deny(String)
    /// A login for a purpose of ``LoginPurpose/all``, with the argument of that purpose.
    case logIn(String, String)
    case changePIN
    /// Enrolls the account, or replaces its registration, with an enrollment code and this device name.
    case enroll(device: String?)
    case recover(device: String?)

    /// Reads the values of a request; nil for an action of a later version, or one that does not exist.
    init?(_ kind: Int, purpose: String, argument: String) {
        switch (kind, purpose) {
        case (MPIN_AGENT_READ, ""), (MPIN_AGENT_READ, "keys"): self = .read(asksServers: !purpose.isEmpty)
        case (MPIN_AGENT_SEND, "deny"): self = .deny(argument)
        case (MPIN_AGENT_LOG_IN, _):
            guard LoginPurpose.find(purpose)?.isValid(argument) == true else { return nil }
            self = .logIn(purpose, argument)
        case (MPIN_AGENT_CHANGE_PIN, ""): self = .changePIN
        case (MPIN_AGENT_ENROLL, "register"): self = .enroll(device: argument.isEmpty ? nil : argument)
        case (MPIN_AGENT_ENROLL, "recover"): self = .recover(device: argument.isEmpty ? nil : argument)
        default: return nil
        }
        guard values.argument == argument else { return nil }
    }

    /// The values in a request.
    package var values: (kind: Int, purpose: String, argument: String) {
        switch self {
        case .read(let asksServers): (MPIN_AGENT_READ, asksServers ? "keys" : "", "")
        case .deny(let code): (MPIN_AGENT_SEND, "deny", code)
        case .logIn(let purpose, let argument): (MPIN_AGENT_LOG_IN, purpose, argument)
        case .changePIN: (MPIN_AGENT_CHANGE_PIN, "", "")
        case .enroll(let device): (MPIN_AGENT_ENROLL, "register", device ?? "")
        case .recover(let device): (MPIN_AGENT_ENROLL, "recover", device ?? "")
        }
    }

    /// The word for the log.
    var name: String {
        let (_, purpose, _) = values
        if case .changePIN = self { return "change-pin" }
        return purpose.isEmpty ? "status" : purpose
    }

    /// Whether the action asks for a PIN.
    var asksForPIN: Bool {
        switch self {
        case .read, .deny: false
        default: true
        }
    }
}

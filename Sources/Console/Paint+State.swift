// SPDX-License-Identifier: Apache-2.0

extension Display.Paint {
    /// The color for the state of a user or device, as a server names it. If there are several with commas between them,
    /// the first one decides. Nil for states without a color.
    package init?(state: String) {
        switch state.prefix(while: { $0 != "," }) {
        case "REGISTERED": self = .green
        case "BLOCKED", "REVOKED", "SUSPENDED": self = .red
        case "INVITED", "STARTED_REGISTRATION", "ACTIVATED": self = .yellow
        default: return nil
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinAgent
import MPinWire

// The key of a registration's server, as reports show it.
extension TargetAccount {
    /// The members of a report; empty for a registration that belongs to no key.
    static func serverKeyMembers(of user: RegistrationSummary) -> [String: Report.Value] {
        guard let key = user.serverKey, let source = user.serverKeySource else { return [:] }
        return ["serverKey": .text(key), "serverKeySource": .text(source.name.text.string)]
    }

    /// The lines of a report, with their names in the first column.
    static func serverKeyLines(of user: RegistrationSummary) -> [String] {
        guard let key = user.serverKey, let source = user.serverKeySource else { return ["serverkey none"] }
        return ["serverkey \(key)", "          \(sentence(source, user.backend))"]
    }

    /// How a registration got the key of its server.
    private static func sentence(_ source: ServerKeySource, _ server: String) -> String {
        switch source {
        case .invitation: "proven by the code of the enrollment"
        case .fingerprint: "confirmed by its fingerprint"
        case .tls where server.hasPrefix("unix:"): "from the owner of the server's socket"
        case .tls: "from TLS alone"
        }
    }

    /// The lines about the server's key after an enrollment.
    static func serverKeyNotice(_ user: RegistrationSummary) -> [String] {
        guard let key = user.serverKey, let source = user.serverKeySource else {
            return user.backend.hasPrefix("unix:")
                ? []
                : ["This server proves no key: its certificate alone decides which server this enrollment believes."]
        }
        var lines = ["The server's key, \(sentence(source, user.backend)): \(key)"]
        if source == .tls, !user.backend.hasPrefix("unix:") {
            lines.append(
                "Compare it with the fingerprint that 'mpin-server invite' shows on the server: only the certificate "
                    + "vouched for it.")
        }
        return lines
    }
}

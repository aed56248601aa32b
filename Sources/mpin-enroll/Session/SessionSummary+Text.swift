// SPDX-License-Identifier: Apache-2.0
import MPinAgent

// The server's description of a session that waits for a login, shown before the user types a PIN for it.
extension SessionSummary {
    /// The lines shown to the user.
    var lines: [String] {
        var lines = application.map { ["Application: \($0)"] } ?? []
        switch isVerified {
        case true:
            lines.append("Requested by: \(host ?? "a host") (verified by the server)")
            lines += [
                service.map { "Service: \($0)" }, account.map { "Account: \($0)" }, address.map { "From: \($0)" },
            ].compactMap { $0 }
        case false: lines.append("Requested by: an unverified client\(address.map { " (\($0))" } ?? "")")
        case nil: lines.append("The server does not say who requested it.")
        }
        return lines + ["Continue only if you see this number on your own screen."]
    }

    /// The members of the JSON object.
    var members: [String: Report.Value] {
        var members: [String: Report.Value] = [
            "application": .text(application ?? ""), "verified": .flag(isVerified ?? false),
        ]
        for (name, text) in [("host", host), ("account", account), ("service", service), ("address", address)] {
            if let text { members[name] = .text(text) }
        }
        return members
    }
}

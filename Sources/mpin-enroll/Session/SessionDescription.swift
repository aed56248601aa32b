// SPDX-License-Identifier: Apache-2.0
import MPin

/// The server's description of a session that waits for a login, shown before the user types a PIN for it.
struct SessionDescription {
    private let details: SessionDetails

    init(_ details: SessionDetails) {
        self.details = details
    }

    /// The lines shown to the user.
    var lines: [String] {
        var lines = details.appName.isEmpty ? [] : ["Application: \(details.appName)"]
        switch details.requester {
        case .some(let requester) where requester.isVerified:
            lines.append("Requested by: \(requester.host ?? "a host") (verified by the server)")
            lines += SessionDescription.purpose(requester)
        case .some(let requester):
            let address = requester.address.map { " (\($0))" } ?? ""
            lines.append("Requested by: an unverified client\(address)")
        case .none:
            lines.append("The server does not say who requested it.")
        }
        return lines + ["Continue only if you see this number on your own screen."]
    }

    /// The members of the JSON object.
    var members: [String: Report.Value] {
        var members: [String: Report.Value] = [
            "application": .text(details.appName), "verified": .flag(details.requester?.isVerified ?? false),
        ]
        if let host = details.requester?.host { members["host"] = .text(host) }
        if let account = details.requester?.account { members["account"] = .text(account) }
        if let service = details.requester?.service { members["service"] = .text(service) }
        if let address = details.requester?.address { members["address"] = .text(address) }
        return members
    }

    private static func purpose(_ requester: SessionDetails.Requester) -> [String] {
        [
            requester.service.map { "Service: \($0)" }, requester.account.map { "Account: \($0)" },
            requester.address.map { "From: \($0)" },
        ].compactMap { $0 }
    }
}

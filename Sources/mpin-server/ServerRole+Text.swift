// SPDX-License-Identifier: Apache-2.0
import MPinServer
import MPinServerStorage

extension ServerRole {
    /// The command that serves a directory of this role. The installed server has its addresses in its configuration.
    func serve(_ directory: String) -> String {
        guard self != .authority else {
            return "serve --role authority --listen ADDRESS --tls-cert FILE --tls-key FILE"
        }
        return directory == ServerDirectory.installed ? "serve" : "serve --listen unix:/run/mpin/server.sock"
    }

    /// What an attacker with the database and its key can do.
    var danger: String { self == .combined ? "can make a token for any user" : "has one of the two master shares" }

    /// A reminder of the other host, for a command that copies or changes the key; empty if there is only one host.
    var otherHost: [String] {
        switch self {
        case .combined: []
        case .relyingParty:
            [
                "This host has one of the two master shares. The second authority's host has the other one,",
                "with its own key and backups. Run this command there too.",
            ]
        case .authority:
            [
                "This host has only the second authority's master share. The relying party's host has the users",
                "and the other share, with its own key and backups. Run this command there too.",
            ]
        }
    }
}

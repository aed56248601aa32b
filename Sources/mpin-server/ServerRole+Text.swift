import MPinServer

extension ServerRole {
    /// What a command says that copies or changes the key of one of two hosts; empty where there is one host.
    var otherHost: [String] {
        switch self {
        case .combined: []
        case .relyingParty:
            [
                "Held here is one of the two master shares. The other one is at the second authority's host, with a key and",
                "backups of its own: run this command there too.",
            ]
        case .authority:
            [
                "Held here is the second authority's master share, and nothing about users. They are at the relying party's",
                "host, with the other share, a key and backups of its own: run this command there too.",
            ]
        }
    }
}

internal import Foundation
internal import Glibc
internal import MPinServerStorage

/// The proxies whose `X-Forwarded-For` is believed.
package struct TrustedProxies: Sendable, Equatable {
    /// Whether every peer on a loopback address is a proxy.
    package var loopback = false
    /// The users whose programs are proxies where they connect to the server's socket.
    package var users: Set<UInt32> = []

    package init() {}

    /// Whether there is none.
    package var isEmpty: Bool { !loopback && users.isEmpty }

    /// Reads `no`, `yes`, or `yes` and users of this host by name or number, with commas between them.
    ///
    /// - Returns: nil for anything else, as for a user who does not exist.
    init?(_ text: String) {
        guard TrustedProxies.replacement(text) == nil else { return nil }
        let words = TrustedProxies.words(text)
        if words == ["no"] { return }
        guard !words.isEmpty else { return nil }
        for word in words {
            if word == "yes" {
                loopback = true
            } else if let number = UInt32(word) {
                users.insert(number)
            } else {
                guard let entry = unsafe getpwnam(word) else { return nil }
                users.insert(unsafe entry.pointee.pw_uid)
            }
        }
    }

    /// What to write in place of a text with words that earlier versions took for `yes` or `no`; nil for any other text.
    ///
    /// `1` was `yes`, so it must not become the user of that number without a word. `0` was `no` on its own alone.
    static func replacement(_ text: String) -> String? {
        let words = TrustedProxies.words(text)
        let current = words.map { word in
            let flag = SettingFormat<Bool>.formerFlag(word)
            return flag == "yes" || words.count == 1 ? flag ?? word : word
        }
        return current == words ? nil : current.joined(separator: ",")
    }

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).map(String.init)
    }

    /// As `server.conf` has them.
    var text: String {
        isEmpty ? "no" : ((loopback ? ["yes"] : []) + users.sorted().map { String($0) }).joined(separator: ",")
    }

    /// Whether a peer is a trusted proxy.
    func include(_ peer: ConnectedPeer) -> Bool {
        if case .user(let user) = peer.source { return users.contains(user) }
        return loopback && peer.isLoopback
    }

    /// The source of a request: for a trusted proxy the address that it names, otherwise the peer.
    ///
    /// - Parameter forwarded: `X-Forwarded-For`, of which only the last address counts, which is the one the proxy saw.
    func source(of peer: ConnectedPeer, forwarded: String?) -> RequestSource {
        guard let forwarded, include(peer) else { return peer.source }
        return RequestSource(forwarded: forwarded.split(separator: ",").last.map(String.init) ?? "")
    }
}

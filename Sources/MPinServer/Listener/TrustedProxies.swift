// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import MPinServerStorage

/// The proxies whose `X-Forwarded-For` the server trusts.
package struct TrustedProxies: Sendable, Equatable {
    /// Whether every peer on a loopback address is a proxy.
    package var loopback = false
    /// The users whose programs are proxies if they connect to the server's socket.
    package var users: Set<UInt32> = []

    package init() {}

    /// Whether there are no trusted proxies.
    package var isEmpty: Bool { !loopback && users.isEmpty }

    /// Reads `no`, `yes`, or `yes` and users of this host by name or number, separated by commas.
    ///
    /// - Returns: nil for anything else, for example for a user who does not exist.
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

    /// What to write instead of a text with other words for `yes` or `no`; nil for any other text.
    ///
    /// Administrators write `1` for `yes`, so it must not silently become the user of that number. `0` stands for `no`
    /// only if it is alone.
    static func replacement(_ text: String) -> String? {
        let words = TrustedProxies.words(text)
        let current = words.map { word in
            let flag = SettingFormat<Bool>.plainFlag(word)
            return flag == "yes" || words.count == 1 ? flag ?? word : word
        }
        return current == words ? nil : current.joined(separator: ",")
    }

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).map(String.init)
    }

    /// The value in `server.conf`.
    var text: String {
        isEmpty ? "no" : ((loopback ? ["yes"] : []) + users.sorted().map { String($0) }).joined(separator: ",")
    }

    /// Whether a peer is a trusted proxy.
    func include(_ peer: ConnectedPeer) -> Bool {
        if case .user(let user) = peer.source { return users.contains(user) }
        return loopback && peer.isLoopback
    }

    /// The source of a request: the address that a trusted proxy reports, otherwise the peer.
    ///
    /// - Parameter forwarded: `X-Forwarded-For`. Only the last address counts, which the proxy itself saw.
    func source(of peer: ConnectedPeer, forwarded: String?) -> RequestSource {
        guard let forwarded, include(peer) else { return peer.source }
        return RequestSource(forwarded: forwarded.split(separator: ",").last.map(String.init) ?? "")
    }
}

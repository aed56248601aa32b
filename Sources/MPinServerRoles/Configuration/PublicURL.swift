// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import MPinServerStorage

package enum PublicURL {
    /// Checks an address: `https://HOST[:PORT][/PATH]`, or `http://` with a loopback host. Returns it without trailing
    /// slashes.
    ///
    /// - Parameter place: where it was written, for messages.
    package static func checked(_ text: String, at place: String) throws(ServerError) -> String {
        let fault = ServerError(
            .configuration, "\(place): not a public URL: \(text)", hint: "Write https://HOST[:PORT][/PATH].")
        var url = text
        while url.hasSuffix("/") { url.removeLast() }
        let plain = url.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"\"#<>?@\\^`{|}".utf8.contains($0) }
        guard plain, url.utf8.count <= 512 else { throw fault }
        if url.hasPrefix("https://") {
            guard url.utf8.count > 8, !url.dropFirst(8).hasPrefix("/") else { throw fault }
            return url
        }
        guard url.hasPrefix("http://") else { throw fault }
        guard isLoopback(url) else { throw fault }
        return url
    }

    /// Whether an address refers to the host on which it is used.
    package static func isLoopback(_ url: String) -> Bool {
        guard let scheme = url.range(of: "://") else { return false }
        let host = url[scheme.upperBound...].prefix { $0 != "/" }
        return ["127.0.0.1", "localhost", "[::1]"].contains { host == $0 || host.hasPrefix("\($0):") }
    }

    /// The public address of a server, if other machines can use it: the configured one, or else that of `init`.
    package static func reachable(_ configured: String?, _ stored: String?) -> String? {
        guard let url = configured ?? stored, !url.isEmpty, !isLoopback(url) else { return nil }
        return url
    }

    /// The host of a checked `https` address, without brackets.
    package static func host(_ url: String) -> String {
        let authority = url.dropFirst("https://".count).prefix { $0 != "/" }
        return String(
            authority.hasPrefix("[") ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" })
    }

    /// The port of a checked `https` address; nil if it is not a number from 1 to 65535.
    package static func port(_ url: String) -> Int? {
        let authority = url.dropFirst("https://".count).prefix { $0 != "/" }
        guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else { return 443 }
        return Int(authority[authority.index(after: colon)...]).flatMap { 1...65_535 ~= $0 ? $0 : nil }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinWire
import TestPeers

/// A real server as it was before there were device keys and server keys, and a client of that time: what passes between
/// the present ones is changed.
enum FormerProtocol {
    /// Settings without everything that came with the keys.
    static func hide(_ settings: inout ClientSettings) {
        settings.extensions.removeAll { [.deviceKey, .direct, .proof].contains($0) }
        settings[.directURL] = nil
        settings[.helloURL] = nil
        (settings.serverKey, settings.serverID) = (nil, nil)
    }

    /// The request to register as a client of that time makes it, which sends the code. A present client never does, so
    /// the test gives it to the peer in between.
    static func addCode(_ code: String, to exchange: TestPeers.Exchange) -> TestPeers.Exchange {
        guard exchange.path == "/rps/user",
            var request = try? JSONSerialization.jsonObject(with: Data(exchange.body)) as? [String: Any]
        else { return exchange }
        request["activateCode"] = code
        guard let body = try? JSONSerialization.data(withJSONObject: request) else { return exchange }
        return TestPeers.Exchange(
            method: exchange.method, path: exchange.path, query: exchange.query, body: Array(body),
            headers: exchange.headers)
    }
}

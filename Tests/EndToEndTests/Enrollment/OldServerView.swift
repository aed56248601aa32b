// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinWire
import Synchronization
import TestPeers

/// A real server as a client saw it before there were device keys and server keys: the settings name neither.
///
/// A client never sends an enrollment code as it is, but old clients did, and the real server still takes that. So tests
/// give the client the code in a form that it does not know, and the relay restores it.
enum OldServerView {
    /// The codes, by six digits, which a client sends as they are.
    private static let codes = Mutex<[String: String]>([:])

    static func code(_ code: String) -> String {
        codes.withLock { codes in
            let old = String(100_000 + codes.count)
            codes[old] = code
            return old
        }
    }

    static func request(_ exchange: Exchange) -> Exchange {
        guard exchange.method == "PUT" else { return exchange }
        let body = String(decoding: exchange.body, as: UTF8.self).replacing(/"activateCode":"([^"]*)"/) { match in
            let old = String(match.output.1)
            return "\"activateCode\":\"\(codes.withLock { $0[old] } ?? old)\""
        }
        return Exchange(
            method: exchange.method, path: exchange.path, query: exchange.query, body: Array(body.utf8),
            headers: exchange.headers)
    }

    static func hideKeys(_ settings: inout ClientSettings) {
        settings.extensions.removeAll { [.deviceKey, .direct, .proof, .status].contains($0) }
        (settings[.helloURL], settings[.directURL], settings[.statusURL]) = (nil, nil, nil)
        (settings.serverKey, settings.serverID) = (nil, nil)
    }

    static func answer(_ answer: Answer, to exchange: Exchange) -> Answer {
        guard exchange.path == "/rps/clientSettings", var settings = try? ClientSettings.decode(answer.body.span)
        else { return answer }
        hideKeys(&settings)
        return Answer(status: answer.status, body: settings.encode())
    }
}

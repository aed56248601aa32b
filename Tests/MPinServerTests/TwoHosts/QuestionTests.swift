// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinServer
import MPinServerRoles
import Testing

/// Questions to an authority by itself: which it answers, and which not.
@Suite(.serialized) struct QuestionTests {
    /// A relying party without a server, which signs any query.
    private final class Party {
        let appID: String
        let key: DeviceKey
        let line: String

        init() throws {
            appID = hex(try Random.bytes(16))
            key = try DeviceKey.generate()
            line = try RelyingPartyIdentity(appID: appID, publicKey: key.publicKey).line
        }

        func signature(_ parts: String...) throws -> String {
            hex(try key.sign(Hash.sha256(Array(parts.joined(separator: "\n").utf8))))
        }

        func time(_ seconds: Double) -> String {
            Date().addingTimeInterval(seconds).ISO8601Format().replacing(".000", with: "")
        }

        func serverSecret(expires: String, appID: String? = nil) throws -> String {
            let id = appID ?? self.appID
            return "/dta/serverSecret?app_id=\(id)&expires=\(expires)&signature="
                + (try signature("serverSecret", id, expires))
        }

        func clientSecret(_ hash: String, expires: String) throws -> String {
            "/dta/clientSecret?mobile=1&expires=\(expires)&app_id=\(appID)&hash_mpin_id=\(hash)&hash_user_id=&signature="
                + (try signature("clientSecret", appID, hash, expires))
        }

        func timePermit(_ hash: String, day: Int) throws -> String {
            "/dta/timePermit?hash_mpin_id=\(hash)&app_id=\(appID)&mobile=1&signature="
                + (try signature("timePermit", appID, hash, String(day)))
        }
    }

    private let hash = String(repeating: "5a", count: 32)

    @Test func `a signed question is answered, and nothing else is`() throws {
        let hosts = try TwoHosts(isRunning: false)
        let (party, stranger) = (try Party(), try Party())
        try hosts.makeAuthority(for: party.line)
        try hosts.startAuthority()
        let peer = hosts.authorityPeer
        let (soon, past) = (party.time(60), party.time(-1))
        let day = Int(Date().timeIntervalSince1970) / 86_400
        let secret = try party.serverSecret(expires: soon)
        let answer = try peer.get(secret)
        #expect(answer.status == 200)
        #expect(answer.string("serverSecret").utf8.count == 256)
        #expect(answer.headers["access-control-allow-origin"] == "*")
        // Each answer has the same point.
        #expect(try peer.get(secret).string("serverSecret") == answer.string("serverSecret"))
        let client = try party.clientSecret(hash, expires: soon)
        #expect(try peer.get(client).string("clientSecret").utf8.count == 130)
        #expect(try peer.get(party.timePermit(hash, day: day)).string("timePermit").utf8.count == 130)

        #expect(try peer.get(party.serverSecret(expires: past)).status == 408)
        #expect(try peer.get(party.clientSecret(hash, expires: past)).status == 408)
        // No query may be valid for so long.
        #expect(try peer.get(party.clientSecret(hash, expires: party.time(3_600))).status == 408)
        #expect(try peer.get(party.serverSecret(expires: "9999-12-31T23:59:59Z")).status == 408)
        #expect(try peer.get(stranger.serverSecret(expires: soon)).status == 401)
        #expect(try peer.get(stranger.serverSecret(expires: soon, appID: party.appID)).status == 401)
        #expect(try peer.get(party.serverSecret(expires: soon, appID: stranger.appID)).status == 401)
        #expect(try peer.get(stranger.clientSecret(hash, expires: soon)).status == 401)
        for other in [day - 2, day + 2] { #expect(try peer.get(party.timePermit(hash, day: other)).status == 401) }
        // A signature for one purpose with a request for another, and for another time.
        let signature = String(client.suffix(128))
        #expect(try peer.get(secret.dropLast(128) + signature).status == 401)
        #expect(try peer.get(secret.replacing(soon, with: party.time(90))).status == 401)
        #expect(try peer.get(client.replacing(hash, with: String(repeating: "5b", count: 32))).status == 401)
        #expect(try peer.get(secret.dropLast(64).description).status == 401)
        for end in ["", "00", String(repeating: "0", count: 128), String(repeating: "g", count: 128)] {
            let status = try peer.get(secret.dropLast(128) + end).status
            #expect([401, 403].contains(status), "\(end)")
        }
        #expect(try hosts.given() == ["server-share", "server-share", "client-share"])
        // The authority logs a caller with another key.
        var events: [String] = []
        for _ in 0..<1_200 where !events.contains("refused") {
            events = try hosts.events(hosts.authorityDirectory)
            usleep(100_000)
        }
        #expect(events.contains("refused"), "\(events)")
    }

    /// Each answer has a line in the log, and a question is good for a minute.
    @Test func `copies of a question are answered only so often`() throws {
        let hosts = try TwoHosts(isRunning: false)
        let party = try Party()
        try hosts.makeAuthority(for: party.line)
        try hosts.startAuthority()
        let question = try party.clientSecret(hash, expires: party.time(60))
        let statuses = try (0..<25).map { _ in try hosts.authorityPeer.get(question).status }
        #expect(statuses == Array(repeating: 200, count: 20) + Array(repeating: 429, count: 5))
        #expect(try hosts.given().count == 20)
        let other = try party.clientSecret(String(repeating: "5b", count: 32), expires: party.time(60))
        #expect(try hosts.authorityPeer.get(other).status == 200)
    }

    /// The mobile web client of 2016 sends its questions with `Content-Type`, so its browser asks for leave first.
    @Test func `a browser lets pages of the relying party ask`() throws {
        let hosts = try TwoHosts(isRunning: false)
        let party = try Party()
        try hosts.makeAuthority(for: party.line)
        try hosts.startAuthority()
        let day = Int(Date().timeIntervalSince1970) / 86_400
        for question in [
            try party.clientSecret(hash, expires: party.time(60)), try party.timePermit(hash, day: day),
        ] {
            var peer = hosts.authorityPeer
            peer.headers = [
                "Origin: https://a.example.org", "Access-Control-Request-Method: GET",
                "Access-Control-Request-Headers: content-type",
            ]
            let leave = try peer.send("OPTIONS", question, [])
            func list(_ name: String) -> [String] {
                (leave.headers[name] ?? "").lowercased().split(separator: ",").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
            }
            #expect(leave.status == 200 && list("access-control-allow-origin") == ["*"])
            #expect(list("access-control-allow-methods").contains("get"))
            #expect(list("access-control-allow-headers").contains("content-type"))
            // No cookie or password of a browser is used.
            #expect(leave.headers["access-control-allow-credentials"] == nil)
            peer.headers = ["Origin: https://a.example.org", "Content-Type: application/json"]
            let answer = try peer.send("GET", question, [])
            #expect(answer.status == 200 && answer.headers["access-control-allow-origin"] == "*")
        }
    }

    @Test func `a client's query is signed by the relying party's key, and is useless elsewhere`() throws {
        let hosts = try TwoHosts()
        let client = OldClient("alice", at: hosts.partyPeer)
        #expect(try client.setBackend() == .ok)
        #expect(try client.startRegistration(code: hosts.invitation(for: "alice")) == .ok)
        let params = try hosts.partyPeer.get("/rps/signature/\(client.mpinID)?regOTT=\(client.regOTT)").string("params")
        #expect(params.contains("signature=") && params.split(separator: "signature=").last?.utf8.count == 128)
        #expect(try hosts.authorityPeer.get("/dta/clientSecret?\(params)").status == 200)
        // The relying party's own question needs another signature.
        #expect(try hosts.authorityPeer.get("/dta/serverSecret?\(params)").status == 401)
        let combined = try RunningServer()
        #expect(try combined.peer.get("/dta/clientSecret?\(params)").status == 401)
    }
}

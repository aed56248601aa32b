// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Synchronization
import Testing

/// Strangers who know an M-Pin ID, and have seen a login of its owner, at the same source as the owner.
@Suite(.serialized) struct StrangerTests {
    private static let count = 10_000

    /// Every kind of request that names an identity, a user or a handle.
    private static func requests(_ alice: Device, _ seen: DirectRequest) throws -> [(String, String, [UInt8])] {
        let mpinID = alice.enrolled.mpinID
        let handle = String(repeating: "5a", count: 16)
        var forged = seen
        forged.signature[5] ^= 1
        func json(_ object: [String: Any]) throws -> [UInt8] {
            try Array(JSONSerialization.data(withJSONObject: object))
        }
        let result: [String: Any] = ["mpinResponse": ["authOTT": handle], "action": "devices", "revoke": mpinID]
        let pass = ["mpin_id": mpinID, "U": hex(seen.u), "UT": hex(seen.u), "V": hex(seen.v), "WID": "0"]
        return try [
            ("POST", "/mpinDirect", seen.body), ("POST", "/mpinDirect", forged.body),
            ("POST", "/rps/pass1", json(pass)),
            ("POST", "/rps/pass2", json(pass)), ("GET", "/rps/timePermit/\(mpinID)", []),
            ("GET", "/dta/timePermit?hash_mpin_id=\(hex(seen.u).prefix(64))&signature=00", []),
            ("GET", "/rps/signature/\(mpinID)?regOTT=\(handle)", []),
            ("PUT", "/rps/user/\(mpinID)", json(["userId": "alice", "regOTT": handle])),
            ("PUT", "/rps/user", json(["userId": "alice", "activateCode": "0000-0000-0000-0000"])),
            ("POST", "/mpinAuthenticate", json(result)), ("POST", "/mpinRevoke", json(result)),
            ("POST", "/mpinOwner", json(result)), ("POST", "/rps/authenticate", json(result)),
            ("POST", "/rps/codeStatus", json(["wid": "1234567", "status": "wid"])),
            ("POST", "/rps/access", json(["webOTT": handle])), ("GET", "/dta/clientSecret?signature=00", []),
        ]
    }

    /// A login of the owner, and how long it takes.
    private func timed(_ device: Device, _ peer: SocketPeer) throws -> (Int, Duration) {
        let request = try DirectRequest(device)
        let start = ContinuousClock.now
        let status = try request.send(at: peer).status
        return (status, .now - start)
    }

    @Test func `10000 requests of strangers change nothing, and the owner logs in meanwhile`() throws {
        let (server, alice) = try RunningServer.withDevice()
        let peer = server.peer
        #expect(try alice.login(at: peer).status == 200)
        let seen = try DirectRequest(alice)
        #expect(try seen.send(at: peer).status == 200)
        let before = try server.command("user", "show", "alice").output
        let requests = try Self.requests(alice, seen)
        // A machine that is busy with other things is slow without strangers, too.
        let usual = try (0..<5).map { _ in try timed(alice, peer).1 }.max() ?? .zero
        let limit = max(.seconds(1), usual * 8)
        var longest = Duration.zero
        for _ in 1...3 {
            let isOver = Atomic(0)
            let owner = try onThreads(9) { part -> [(Int, Duration)] in
                guard part == 0 else {
                    defer { isOver.add(1, ordering: .relaxed) }
                    for number in 0..<Self.count / 8 {
                        let (method, target, body) = requests[(number + part) % requests.count]
                        let status = try peer.send(method, target, body).status
                        if status == 0 || status == 500 && target != "/rps/pass2" { throw Unexpected(target: target) }
                    }
                    return []
                }
                var logins: [(Int, Duration)] = []
                while isOver.load(ordering: .relaxed) < 8 {
                    logins.append(try timed(alice, peer))
                    usleep(50_000)
                }
                return logins
            }[0]
            #expect(owner.count >= 10 && owner.allSatisfy { $0.0 == 200 }, "\(owner.map(\.0))")
            longest = owner.map(\.1).max() ?? .zero
            if longest < limit { break }
        }
        #expect(longest < limit)
        #expect(try server.command("user", "show", "alice").output == before)
        let events = try server.command("audit", "--user", "alice").object["events"] as? [[String: Any]] ?? []
        let kinds = Set(events.compactMap { $0["event"] as? String })
        #expect(kinds.isDisjoint(with: ["wrong-pin", "block", "refused", "revoke"]))
        // The stranger has used up what his source may do, and the device has not.
        #expect(try alice.login("invite", at: peer).status == 200)
    }

    private struct Unexpected: Error { let target: String }
}

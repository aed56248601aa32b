// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Testing

/// The signed questions to the second authority, which any observer can repeat.
@Suite struct SignedQueryTests {
    private struct Signed {
        let fixture: Fixture
        let mpinID: String
        let secret: String
        let permit: String

        init() throws {
            fixture = try Fixture()
            let begun = try fixture.put("/rps/user", ["userId": "alice", "activateCode": fixture.invite("alice")])
            mpinID = begun.string("mpinId")
            secret = try fixture.get("/rps/signature/\(mpinID)?regOTT=\(begun.string("regOTT"))").string("params")
            let first = try fixture.get("/rps/timePermit/\(mpinID)")
            permit =
                "hash_mpin_id=\(first.string("storageId"))&app_id=x&mobile=1&signature="
                + first.string("signature")
        }

        func status(_ path: String, _ query: String) throws -> Int { try fixture.get("/dta/\(path)?\(query)").status }
    }

    /// Replaces the value of a member of a query.
    private static func with(_ name: String, _ value: String, in query: String) -> String {
        query.split(separator: "&").map { $0.hasPrefix(name + "=") ? "\(name)=\(value)" : String($0) }
            .joined(separator: "&")
    }

    @Test func `they are valid only for their time, which cannot be prolonged`() throws {
        let signed = try Signed()
        #expect(try signed.status("clientSecret", signed.secret) == 200)
        #expect(try signed.status("timePermit", signed.permit) == 200)
        for later in ["2026-06-15T13:00:00Z", "2999-01-01T00:00:00Z", "~", "z", "9"] {
            #expect(try signed.status("clientSecret", Self.with("expires", later, in: signed.secret)) == 401)
        }
        signed.fixture.clock.advance(61)
        #expect(try signed.status("clientSecret", signed.secret) == 408)
        #expect(try signed.status("timePermit", signed.permit) == 200)
        signed.fixture.clock.advance(86_400)
        #expect(try signed.status("timePermit", signed.permit) == 401)
    }

    @Test func `each is good for one identity, one purpose and one application`() throws {
        let signed = try Signed()
        let other = String(repeating: "ab", count: 32)
        let app = String(repeating: "0", count: 32)
        #expect(try signed.status("clientSecret", Self.with("hash_mpin_id", other, in: signed.secret)) == 401)
        #expect(try signed.status("timePermit", Self.with("hash_mpin_id", other, in: signed.permit)) == 401)
        #expect(try signed.status("clientSecret", Self.with("app_id", app, in: signed.secret)) == 401)
        // The signature of one purpose with a request for the other.
        let signatures = [signed.secret, signed.permit].map {
            $0.split(separator: "&").first { $0.hasPrefix("signature=") }?.dropFirst(10).description ?? ""
        }
        #expect(try signed.status("clientSecret", Self.with("signature", signatures[1], in: signed.secret)) == 401)
        #expect(try signed.status("timePermit", Self.with("signature", signatures[0], in: signed.permit)) == 401)
        // Parts that only read alike when put together are not the same parts.
        let appID = try signed.fixture.get("/rps/clientSettings").string("appID")
        let moved = Self.with("hash_user_id", "0", in: Self.with("app_id", appID + "0", in: signed.secret))
        #expect(try signed.status("clientSecret", moved) == 401)
        // A parameter that is given twice is refused.
        #expect(try signed.status("clientSecret", signed.secret + "&expires=2999-01-01T00:00:00Z") == 403)
    }

    @Test func `none is good once its registration is revoked`() throws {
        let signed = try Signed()
        _ = try signed.fixture.administrator.revoke("alice", reason: nil)
        #expect(try signed.status("clientSecret", signed.secret) == 410)
        #expect(try signed.status("timePermit", signed.permit) == 410)
        #expect(try signed.fixture.get("/rps/timePermit/\(signed.mpinID)").status == 410)
    }

    @Test func `malformed questions leave nothing in the log of either authority`() throws {
        let hosts = try TwoHosts()
        let combined = try RunningServer()
        let zeros = String(repeating: "00", count: 32)
        func question(_ expires: String, of appID: String) -> String {
            "app_id=\(appID)&expires=\(expires)&hash_mpin_id=\(zeros)&hash_user_id=&signature=\(zeros)"
        }
        let expires = [
            "2026%0A", "%0A", "%", "x", "2026-06-15T12:00:00Z", "2026-06-15T12:01:00Z%0A", "2026-06-15",
            "2026-06-15T12:01Z", "%00", "%C3%28",
        ]
        for (peer, appID, paths) in [
            (
                combined.peer, try combined.peer.get("/rps/clientSettings").string("appID"),
                ["clientSecret", "timePermit"]
            ),
            (
                hosts.authorityPeer, try hosts.partyPeer.get("/rps/clientSettings").string("appID"),
                ["clientSecret", "timePermit", "serverSecret"]
            ),
        ] {
            #expect(appID.utf8.count == 32)
            for (path, expires) in paths.flatMap({ path in expires.map { (path, $0) } }) {
                let status = try peer.get("/dta/\(path)?" + question(expires, of: appID)).status
                #expect([401, 403].contains(status), "\(path) \(expires): \(status)")
            }
        }
        #expect(!combined.logText.contains("request failed"), "\(combined.logText)")
        #expect(!hosts.authorityLog.contains("request failed"), "\(hosts.authorityLog)")
    }

    @Test func `the relying party's clock may be a minute ahead, and no more`() throws {
        let signed = try Signed()
        let clock = signed.fixture.clock
        clock.set(wall: ManualClock.noon - 60)
        #expect(try signed.status("clientSecret", signed.secret) == 200)
        clock.set(wall: ManualClock.noon - 61)
        #expect(try signed.status("clientSecret", signed.secret) == 408)
    }

    @Test func `tomorrow's permit is given in the last minute of today`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        let midnight = ManualClock.noon + 43_200
        fixture.clock.set(wall: midnight)
        let first = try fixture.get("/rps/timePermit/\(alice.mpinID)")
        let question =
            "/dta/timePermit?hash_mpin_id=\(first.string("storageId"))&signature=\(first.string("signature"))"
        for (seconds, status) in [(-61, 401), (-60, 200), (-1, 200), (0, 200)] as [(Int64, Int)] {
            fixture.clock.set(wall: midnight + seconds)
            #expect(try fixture.get(question).status == status, "\(seconds)")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinCrypto
import MPinServer
import MPinServerStorage
import Testing

/// An unsigned request gets the same answers about a registration with a key and about one that does not exist.
@Suite struct KeyedAsUnknownTests {
    /// Three identities of which strangers hold everything but the keys: one whose time permit they have, too, because its
    /// key was put into the database, one that was made with its key, and one that does not exist any more.
    private struct Scene {
        let fixture: Fixture
        let moved: ClientRegistration
        let made: ClientRegistration
        let gone: ClientRegistration
        let permits: [ClientRegistration.Permit]
        /// The signatures with which second shares of permits were fetched.
        let queries: [String]

        init() throws {
            fixture = try Fixture(configuration: "failures_per_source = 100000\n")
            let fixture = fixture
            (moved, gone) = (try fixture.enroll("alice"), try fixture.enroll("carol"))
            let old = [moved, gone]
            let permits = try old.map { try $0.permit(at: fixture) }
            self.permits = [permits[0], permits[0], permits[1]]
            let queries = try old.map {
                let first = try fixture.get("/rps/timePermit/\($0.mpinID)")
                return "/dta/timePermit?hash_mpin_id=\(first.string("storageId"))&app_id=x&mobile=1&signature="
                    + first.string("signature")
            }
            self.queries = [queries[0], queries[0], queries[1]]
            let key = try DeviceSecret().publicKey
            try fixture.change(
                "UPDATE registration SET device_key = ? WHERE user_id = 'alice'", [key])
            made = try fixture.device("dave").enrolled
            _ = try fixture.administrator.purge("carol")
        }

        var identities: [ClientRegistration] { [moved, made, gone] }
    }

    /// An answer without what is random in it.
    private func form(_ answer: Answer) -> String {
        let random = ["authOTT", "y", "passId", "OTP", "mpinId", "regOTT", "proof"]
        let members = answer.object.map { name, value in
            random.contains(name) ? "\(name)#\((value as? String ?? "").count / 64)" : "\(name)=\(value)"
        }
        return "\(answer.status) \(answer.headers.sorted { $0.key < $1.key }) \(members.sorted())"
    }

    private func expectAlike(
        _ answers: [Answer], status: Int, _ comment: Comment, location: SourceLocation = #_sourceLocation
    ) {
        #expect(answers.allSatisfy { $0.status == status }, comment, sourceLocation: location)
        #expect(Set(answers.map(form)).count == 1, comment, sourceLocation: location)
    }

    @Test func `permits are refused alike`() throws {
        let scene = try Scene()
        let fixture = scene.fixture
        expectAlike(try scene.identities.map { try fixture.get("/rps/timePermit/\($0.mpinID)") }, status: 410, "first")
        expectAlike(try scene.queries.map { try fixture.get($0) }, status: 410, "second")
        // Only a signed request learns the reason of a revocation.
        _ = try fixture.administrator.revoke("dave", reason: "stolen")
        expectAlike(
            try scene.identities.map { try fixture.get("/rps/timePermit/\($0.mpinID)") }, status: 410, "revoked")
    }

    @Test func `two passes with the right PIN lead nowhere, and are not judged`() throws {
        let scene = try Scene()
        let fixture = scene.fixture
        for path in ["/mpinAuthenticate", "/mpinRevoke", "/mpinOwner", "/rps/authenticate"] {
            for pin in ["1234", "9999"] {
                let logins = try zip(scene.identities, scene.permits).map {
                    try Login($0, pin: pin, permit: $1, at: fixture)
                }
                expectAlike(logins.map(\.answer), status: 200, "pass 1")
                let seconds = try logins.map {
                    try $0.passTwo(at: fixture, wid: path == "/rps/authenticate" ? "1" : "0")
                }
                expectAlike(seconds, status: 200, "pass 2")
                let finals = try seconds.map {
                    try fixture.post(
                        path,
                        [
                            "mpinResponse": ["authOTT": $0.string("authOTT")], "action": "devices",
                            "revoke": scene.moved.mpinID,
                        ])
                }
                expectAlike(finals, status: 401, "\(path)")
            }
        }
        for user in ["alice", "dave"] { #expect(try fixture.shown(user).wrongSinceLastLogin == 0) }
        // A block is neither reported nor made.
        let audit = try fixture.auditText()
        #expect(!audit.contains("wrong-pin") && !audit.contains("block ") && !audit.contains("refused"))
    }

    @Test func `shares and restarts need the signature, from the first request on`() throws {
        let scene = try Scene()
        let fixture = scene.fixture
        let key = try DeviceSecret()
        let code = try fixture.invite("bob")
        let begun = try fixture.put(
            "/rps/user", ["userId": "bob", "activateCode": code, "deviceKey": hex(key.publicKey)])
        let (mpinID, regOTT) = (begun.string("mpinId"), begun.string("regOTT"))
        let serverID = unhex(try fixture.get("/rps/clientSettings").string("serverId"))
        let now = fixture.milliseconds
        func proof(
            _ word: String = "signature", ott: String? = nil, signer: DeviceSecret? = nil, time: Int64? = nil,
            serverID other: [UInt8]? = nil
        ) throws -> String {
            try Device.proof(word, mpinID, ott ?? regOTT, signer ?? key, other ?? serverID, at: time ?? now)
        }
        let wrong = String(regOTT.reversed())
        let bad = try [
            "", proof(signer: DeviceSecret()), proof("restart"), proof(ott: wrong), proof(time: now - 90_001),
            proof(time: now + 90_001), proof(serverID: [1]), proof() + "0",
        ]
        for (index, proof) in bad.enumerated() {
            let answers = try [mpinID, scene.gone.mpinID].map {
                try fixture.get("/rps/signature/\($0)?regOTT=\(regOTT)\(proof)")
            }
            expectAlike(answers, status: 400, "\(index)")
        }
        // A restart without the signature is that of an unknown one: a registration of its own, with a code of its own.
        for _ in 0..<2 {
            let answers = try [mpinID, scene.gone.mpinID].map {
                try fixture.put("/rps/user/\($0)", ["userId": "bob", "regOTT": regOTT])
            }
            expectAlike(answers, status: 403, "restart")
        }
        let other = try fixture.put(
            "/rps/user/\(mpinID)", ["userId": "bob", "regOTT": regOTT, "activateCode": fixture.invite("bob")])
        #expect(other.status == 200 && other.string("mpinId") != mpinID)
        // With it the registration continues, under the key that it had.
        let digest = try DeviceStatement.request(
            Array("restart".utf8), serverID: serverID, mpinID: unhex(mpinID), time: UInt64(now), regOTT: unhex(regOTT))
        let again = try fixture.put(
            "/rps/user/\(mpinID)",
            [
                "userId": "bob", "regOTT": regOTT, "deviceKey": hex(DeviceSecret().publicKey), "time": now,
                "deviceSignature": hex(key.sign(digest)),
            ])
        #expect(again.status == 200 && again.string("mpinId") == mpinID)
        let enrolled = try ClientRegistration.finish("bob", mpinID: mpinID, regOTT: regOTT, proof: proof(), at: fixture)
        let bob = Device(enrolled: enrolled, key: key, serverID: serverID, now: { now })
        #expect(try bob.login(at: fixture).status == 200)
        // A registration that is restarted gets the key of the new request.
        let fresh = try fixture.put(
            "/rps/user/\(scene.gone.mpinID)",
            ["userId": "erin", "activateCode": fixture.invite("erin"), "deviceKey": hex(key.publicKey)])
        #expect(fresh.status == 200)
        let bare = "/rps/signature/\(fresh.string("mpinId"))?regOTT=\(fresh.string("regOTT"))"
        #expect(try fixture.get(bare).text == fixture.get("/rps/signature/7b7d?regOTT=\(regOTT)").text)
    }

    @Test func `a direct login without the signature learns nothing`() throws {
        let scene = try Scene()
        let fixture = scene.fixture
        let (key, serverID) = (try DeviceSecret(), unhex(try fixture.get("/rps/clientSettings").string("serverId")))
        let bob = try fixture.enroll("bob")
        for pin in ["1234", "9999"] {
            let answers = try (scene.identities + [bob]).map {
                let device = Device(enrolled: $0, key: key, serverID: serverID, now: { fixture.milliseconds })
                return try device.login(pin: pin, at: fixture)
            }
            expectAlike(answers, status: 404, "direct")
        }
        #expect(try fixture.shown("bob").failures == 0)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// Every member of every message in every wrong form, and every malformed point where a point is expected.
@Suite struct HostileTests {
    /// A good message and its path. One-time values are made up, so that nothing succeeds by accident.
    private struct Message: Sendable {
        let method: String
        let target: String
        let body: String
    }

    private static func messages(_ fixture: Fixture) throws -> [Message] {
        let alice = try fixture.enroll()
        let login = try Login(alice, at: fixture)
        let point = hex(login.v)
        let token = String(repeating: "0a", count: 16)
        let handle = #"{"mpinResponse":{"authOTT":"\#(token)","version":"0.3","pass":2},"revoke":"\#(alice.mpinID)"}"#
        let registration =
            #"{"userId":"alice","mobile":1,"deviceName":"d","activateCode":"x","userData":"","regOTT":"\#(token)"}"#
        return [
            Message(method: "PUT", target: "/rps/user", body: registration),
            Message(method: "PUT", target: "/rps/user/\(alice.mpinID)", body: registration),
            Message(
                method: "POST", target: "/rps/pass1",
                body: #"{"mpin_id":"\#(alice.mpinID)","U":"\#(point)","UT":"\#(point)","pass":1}"#),
            Message(
                method: "POST", target: "/rps/pass2",
                body: #"{"mpin_id":"\#(alice.mpinID)","V":"\#(point)","WID":"0","OTP":false,"passId":"\#(token)"}"#),
            Message(method: "POST", target: "/mpinAuthenticate", body: handle),
            Message(method: "POST", target: "/mpinRevoke", body: handle),
            Message(method: "POST", target: "/rps/authenticate", body: handle),
            Message(method: "POST", target: "/rps/setupDone/\(alice.mpinID)", body: "{}"),
        ]
    }

    /// JSON values, and invalid texts.
    private static let values: [String] = [
        "null", "true", "0", "-1", "1e999", "-0.0", "99999999999999999999999", "1.5", #""""#, #""0""#, #""zz""#,
        #""0a""#, "[]", "{}", #"["0"]"#, #"{"a":null}"#, #""\u0000""#, #""\ud800""#, #""\udfff\ud800""#, #""\x""#,
        "\"\u{1}\"", "\"\u{FEFF}\"", "\"\u{10FFFF}\"", "NaN", "Infinity", "0x10", "01", "'a'", "", "undefined",
        #""%00""#, #""../../etc/passwd""#, #""' OR 1=1 --""#, "\"" + String(repeating: "0", count: 8_193) + "\"",
        "\"" + String(repeating: "ff", count: 25_000) + "\"", String(repeating: "[", count: 2_000),
    ]

    /// Whether the answer blames the sender; 500 is the protocol's word for an answer without a question.
    private static func blames(_ answer: Answer) -> Bool {
        answer.status < 500 || (answer.status == 500 && answer.string("message") == "Invalid pass one data")
    }

    @Test(arguments: 0..<8)
    func `no value of no member makes the server fail`(_ index: Int) throws {
        let fixture = try Fixture(configuration: "failures_per_source = 1000000\n")
        let message = try Self.messages(fixture)[index]
        let members = try #require(
            JSONSerialization.jsonObject(with: Data(message.body.utf8)) as? [String: Any])
        for name in members.keys.sorted() + ["mpinResponse\":{\"authOTT", "x"] {
            for value in Self.values {
                // In the member's place, and once more behind it.
                var others = members
                others[name] = nil
                let rest = String(decoding: try JSONSerialization.data(withJSONObject: others), as: UTF8.self)
                let close = name.contains(":") ? "}" : ""
                let joint = others.isEmpty ? "" : ","
                for text in [
                    "{\"\(name)\":\(value)\(close)\(joint)" + rest.dropFirst(),
                    message.body.dropLast() + ",\"\(name)\":\(value)\(close)}", rest,
                ] {
                    let answer = try fixture.send(message.method, message.target, Array(text.utf8))
                    #expect(Self.blames(answer), "\(message.target) \(name) \(value.prefix(30)): \(answer.status)")
                }
            }
        }
        #expect(try fixture.enroll("bob").login(at: fixture).status == 200)
    }

    @Test(arguments: 0..<8)
    func `no cut and no flipped byte does`(_ index: Int) throws {
        let fixture = try Fixture(configuration: "failures_per_source = 1000000\n")
        let message = try Self.messages(fixture)[index]
        let body = Array(message.body.utf8)
        for position in stride(from: 0, to: body.count, by: max(1, body.count / 150)) {
            var flipped = body
            flipped[position] ^= [0x01, 0x20, 0x80, 0xFF][position % 4]
            for bytes in [Array(body.prefix(position)), flipped, Array(body[position...])] {
                let answer = try fixture.send(message.method, message.target, bytes)
                #expect(Self.blames(answer), "\(message.target) at \(position): \(answer.status)")
            }
        }
    }

    @Test func `S11: every malformed point is refused where a point is sent, and costs no attempt`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "failures_per_source = 1000000\n")
        let permit = try alice.permit(at: fixture)
        let good = hex(alice.token)
        let points = try Self.malformedPoints() + ["zz\(good.dropFirst(2))", String(good.dropLast())]
        #expect(points.count > 20)
        for bad in points {
            let login = try Login(alice, permit: permit, at: fixture)
            for (u, ut) in [(bad, hex(login.v)), (hex(login.v), bad), (bad, bad)] {
                let answer = try fixture.post("/rps/pass1", ["mpin_id": alice.mpinID, "U": u, "UT": ut])
                #expect(answer.status == 403, "\(bad.prefix(12))")
            }
            for named in [true, false] {
                var body = login.body(named: named)
                body["V"] = bad
                #expect(try fixture.post("/rps/pass2", body).status == 403, "\(bad.prefix(12))")
            }
            // Not even the challenge is used up.
            #expect(try login.finish(at: fixture).status == 200)
        }
        let missing = try fixture.post("/rps/pass1", ["mpin_id": alice.mpinID, "U": good])
        #expect(missing.status == 403 && missing.string("message").contains("UT"))
        #expect(try fixture.administrator.user("alice").devices[0].failures == 0)
    }

    @Test func `good points that answer nothing are wrong, no more`() throws {
        let (fixture, alice) = try Fixture.enrolled(
            configuration: "failures_per_source = 1000000\nmax_invalid_login_attempts = 100\n")
        let permit = try alice.permit(at: fixture)
        let generator = try #require(Self.points("g1_check") { $0["valid"] as? Bool == true }.first)
        let login = try Login(alice, permit: permit, at: fixture)
        let share = try fixture.get("/rps/timePermit/\(alice.mpinID)").string("timePermit")
        for (u, ut) in [(generator, generator), (share, share), (hex(alice.token), hex(alice.token))] {
            for v in [generator, share, hex(alice.token), hex(login.v), u] {
                let first = try fixture.post("/rps/pass1", ["mpin_id": alice.mpinID, "U": u, "UT": ut])
                let second = try fixture.post(
                    "/rps/pass2", ["mpin_id": alice.mpinID, "V": v, "WID": "0", "passId": first.string("passId")])
                #expect(try Login.redeem(second, at: fixture).status == 401)
            }
        }
        #expect(try fixture.administrator.user("alice").devices[0].failures == 15)
    }

    /// The points of the vectors that are no points of G1, whatever function they were made for.
    private static func malformedPoints() throws -> [String] {
        try points("g1_check") { $0["code"] != nil } + points("g2_check") { _ in true }
    }

    private static func points(_ function: String, where fits: ([String: Any]) -> Bool) throws -> [String] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Vectors/malformed.json")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let cases = try #require(object?["cases"] as? [[String: Any]])
        return cases.filter { $0["op"] as? String == function && fits($0["expect"] as? [String: Any] ?? [:]) }
            .compactMap { ($0["args"] as? [String: Any])?["point"] as? String }
    }
}

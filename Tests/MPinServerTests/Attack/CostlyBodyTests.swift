// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// Bodies that are small to send and long to read.
@Suite struct CostlyBodyTests {
    /// Seconds of processor time that this thread has used.
    private static func processorSeconds() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// A good message with so many members more, whose names differ at their ends and are written in escapes.
    private static func body(_ members: String, extra: Int, escapes: Int, in name: String? = nil) -> [UInt8] {
        let names = (0..<extra).map { index in
            "\"" + String(repeating: "\\u0061", count: escapes) + "\(index)\":0"
        }
        let more = names.joined(separator: ",")
        return Array((name.map { "{\(members),\"\($0)\":{\(more)}}" } ?? "{\(members),\(more)}").utf8)
    }

    @Test func `hundreds of escaped names are refused before they are compared`() throws {
        let fixture = try Fixture()
        let bodies: [(target: String, members: String)] = [
            ("/rps/codeStatus", #""status":"wid","wid":"1""#), ("/rps/access", #""webOTT":"00""#),
            ("/rps/pass1", #""pass":1"#), ("/rps/pass2", #""pass":2"#), ("/otp", #""otp":"1""#),
            ("/logout", #""userId":"a""#), ("/mpinAuthenticate", #""mpinResponse":{}"#),
        ]
        let start = Self.processorSeconds()
        for (target, members) in bodies {
            let answer = try fixture.post(target, Self.body(members, extra: 200, escapes: 50))
            #expect(400...403 ~= answer.status)
            #expect(answer.string("message").contains("too large"), "\(target): \(answer.text)")
        }
        for target in ["/rps/user", "/rps/user/7b7d"] {
            let body = Self.body(#""userId":"a""#, extra: 200, escapes: 50, in: "userData")
            #expect(try fixture.send("PUT", target, body).status == 400)
        }
        // Nine comparisons of all names with all would take a second and more.
        #expect(Self.processorSeconds() - start < 0.5)
    }

    @Test func `members that a message does not need are ignored up to a bound`() throws {
        let fixture = try Fixture()
        let status = { (extra: Int, escapes: Int) in
            try fixture.post(
                "/rps/codeStatus", Self.body(#""status":"wid","wid":"1""#, extra: extra, escapes: escapes)
            ).status
        }
        #expect(try status(30, 0) == 200)
        #expect(try status(31, 0) == 400)
        #expect(try status(1, 1) == 400)
    }

    @Test func `an application's own names may be many and spelled as they like`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        let many = Dictionary(uniqueKeysWithValues: (0..<150).map { ("name\($0)", $0) })
        #expect(try fixture.put("/rps/user", ["userId": "alice", "userData": many]).status == 200)
        let escaped = Array(#"{"userId":"bob","userData":{"gr\u00f6\u00dfe":1,"stra\u00dfe":"x"}}"#.utf8)
        #expect(try fixture.send("PUT", "/rps/user", escaped).status == 200)
        #expect(try fixture.administrator.user("bob").devices[0].userData?.contains("gr\\u00f6") == true)
    }
}

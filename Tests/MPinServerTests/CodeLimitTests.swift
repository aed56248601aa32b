// SPDX-License-Identifier: Apache-2.0
import Testing

/// Codes and PINs are counted apart, for each source.
@Suite struct CodeLimitTests {
    @Test func `wrong codes keep no user of the same address from logging in`() throws {
        let fixture = try Fixture(configuration: "failures_per_source = 5\n")
        let alice = try fixture.enroll()
        let junk: [String: Any] = ["userId": "alice", "activateCode": "0000-0000-0000-0000"]
        var statuses: [Int] = []
        for _ in 0..<8 { statuses.append(try fixture.put("/rps/user", junk).status) }
        #expect(statuses == [403, 403, 403, 403, 403, 429, 429, 429])
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `wrong PINs keep no user of the same address from enrolling`() throws {
        let fixture = try Fixture(configuration: "failures_per_source = 2\n")
        let alice = try fixture.enroll()
        // A registration's own count limits its wrong PINs; a source is limited by the registrations it makes up.
        let unknown = ClientRegistration(user: "x", mpinID: hex(Array("{\"userID\":\"x\"}".utf8)), token: alice.token)
        let permit = try alice.permit(at: fixture)
        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try Login(unknown, permit: permit, at: fixture).passTwo(at: fixture).status) }
        #expect(statuses.last == 429)
        let bob: [String: Any] = ["userId": "bob", "activateCode": try fixture.invite("bob")]
        #expect(try fixture.put("/rps/user", bob).status == 200)
    }
}

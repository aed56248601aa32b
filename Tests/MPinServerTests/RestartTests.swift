// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Testing

/// A server that dies between two requests.
@Suite struct RestartTests {
    @Test func `registration survives a restart after each step`() throws {
        let fixture = try Fixture()
        let code = try fixture.invite("alice")
        try fixture.restart()
        let begun = try fixture.put("/rps/user", ["userId": "alice", "activateCode": code])
        try fixture.restart()
        let first = try fixture.share(begun)
        #expect(first.status == 200)
        try fixture.restart()
        #expect(try fixture.get("/dta/clientSecret?\(first.string("params"))").status == 200)
        try fixture.restart()
        let alice = try ClientRegistration.finish("alice", begun, at: fixture)
        try fixture.restart()
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `a login cut in two fails without a charge and can be done again`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        let login = try Login(alice, at: fixture)
        try fixture.restart()
        #expect(try login.passTwo(at: fixture).status == 500)
        let second = try Login(alice, at: fixture).passTwo(at: fixture)
        try fixture.restart()
        #expect(try Login.redeem(second, at: fixture).status == 408)
        #expect(try alice.login(pin: "9999", at: fixture).object["attemptsLeft"] as? Int == 2)
        try fixture.restart()
        #expect(try alice.login(pin: "9999", at: fixture).object["attemptsLeft"] as? Int == 1)
    }

    /// Nothing that a device has expires, and a server deletes nothing that it needs.
    @Test func `a device that was away for a year logs in`() throws {
        let (fixture, alice) = try Fixture.withDevice()
        #expect(try alice.login(at: fixture).status == 200)
        #expect(try alice.login(pin: "9999", at: fixture).object["attemptsLeft"] as? Int == 2)
        for _ in 1...13 {
            fixture.clock.advance(30 * 86_400)
            fixture.current.purge()
            try fixture.restart()
        }
        #expect(try alice.login(pin: "9999", at: fixture).object["attemptsLeft"] as? Int == 1)
        #expect(try alice.login(at: fixture).status == 200)
        #expect(try DirectRequest(alice, time: fixture.milliseconds).send(at: fixture).status == 200)
    }
}

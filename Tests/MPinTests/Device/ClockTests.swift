// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

/// Machines whose clock differs from the server's.
@Suite struct ClockTests {
    private func offset(_ fixture: DirectFixture) throws -> Int? { try fixture.cached()["clockOffset"] as? Int }

    @Test(arguments: [-40 * 365 * 86_400_000, -200_000, 91_000, 3_600_000, 30 * 365 * 86_400_000])
    func `a wrong clock costs one request, once`(milliseconds: Int) throws {
        let (fixture, _, _) = try DirectFixture.warm()
        fixture.direct.clock = milliseconds
        let (client, user) = try fixture.nextProcess()
        let connections = fixture.server.connections
        try client.logIn(user, "4962")
        #expect(fixture.requests(of: DirectServer.path) == 2)
        #expect(fixture.server.connections == connections + 1)
        let logins = fixture.direct.logins.suffix(2)
        #expect(Set(logins.map(\.u)).count == 2 && Set(logins.map(\.v)).count == 2)
        #expect(abs(try #require(try offset(fixture)) - milliseconds) < 5000)

        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "4962")
        #expect(fixture.requests(of: DirectServer.path) == 1)
    }

    @Test func `a clock that is set right is learned again`() throws {
        let (fixture, _, _) = try DirectFixture.warm()
        for clock in [600_000, 0] {
            fixture.direct.clock = clock
            let (client, user) = try fixture.nextProcess()
            try client.logIn(user, "4962")
            #expect(fixture.requests(of: DirectServer.path) == 2)
        }
    }

    @Test(arguments: [
        "{\"nowTime\":-5}", "{\"nowTime\":0}", "{\"nowTime\":\"1\"}", "{\"message\":\"m\"}",
        "{\"nowTime\":99999999999999999999}",
    ]) func `a refusal without a time is not tried again`(body: String) throws {
        let (fixture, client, user) = try DirectFixture.warm()
        fixture.answerSigned(DirectServer.path, .status(408, body))
        #expect(try status { try client.logIn(user, "4962") } == .requestExpired)
        #expect(fixture.requests(of: DirectServer.path) == 1)
    }

    @Test(arguments: [1, 9_223_372_036_854_775_807, 4_000_000_000_000_000])
    func `a server that never likes the time is asked twice`(time: Int) throws {
        let (fixture, client, user) = try DirectFixture.warm()
        fixture.answerSigned(DirectServer.path, .status(408, "{\"nowTime\":\(time)}"))
        let error = try #require(try failure { try client.logIn(user, "4962") })
        #expect(error.code == .requestExpired && error.pinChecked == .no)
        #expect(fixture.requests(of: DirectServer.path) == 2)
        // What no clock shows is not kept.
        if time > 4_000_000_000_000 { #expect(try offset(fixture) == nil) }
    }

    @Test(arguments: [9_223_372_036_854_775_807, -9_223_372_036_854_775_807, 9_000_000_000_000])
    func `a senseless note of an offset is no offset`(note: Int) throws {
        let (fixture, _, _) = try DirectFixture.warm()
        try fixture.cache(["clockOffset": note])
        #expect(try offset(fixture) == note)
        let (client, user) = try fixture.nextProcess()
        try client.logIn(user, "4962")
        #expect(fixture.requests(of: DirectServer.path) == 1)
    }

    /// The requests of a registration are of the server's time as well.
    @Test(arguments: [-86_400_000, 86_400_000]) func `a wrong clock registers`(milliseconds: Int) throws {
        let fixture = try DirectFixture()
        fixture.direct.clock = milliseconds
        let (client, user) = try fixture.enrolled()
        try client.logIn(user, "4962")
        #expect(fixture.requests(of: DirectServer.path) == 1)
    }
}

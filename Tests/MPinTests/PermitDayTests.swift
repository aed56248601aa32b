// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinCrypto
import MPinWire
import TestPeers
import Testing

/// Second permit shares of another day than the first. They carry no date, and every PIN is a wrong one with them.
@Suite struct PermitDayTests {
    private let permit = "GET /dta/timePermit"

    /// A registered user of a process that finds a share of the day before.
    private func withStaleShare() throws -> (Fixture, Client, User) {
        let (fixture, client, user) = try Fixture.enrolled()
        fixture.reference.secondDay = try #require(PermitDay(20_699))
        _ = try client.mpin.startAuthentication(user)
        fixture.reference.secondDay = nil
        let next = try fixture.nextProcess()
        return (fixture, next.0, next.1)
    }

    @Test func `the right PIN logs in with a share that was kept from another day`() throws {
        let (fixture, client, user) = try withStaleShare()
        try client.logIn(user, "4962")
        #expect(fixture.requests(of: permit) == 1 && fixture.requests(of: "POST /rps/pass2") == 2)
        // The new share is kept.
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "4962")
        #expect(fixture.requests(of: permit) == 0 && fixture.requests(of: "POST /rps/pass2") == 1)
    }

    @Test func `a wrong PIN is sent once, and the next login asks for the share`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        try client.logIn(user, "4962")
        let (next, same) = try fixture.nextProcess()
        #expect(try status { try next.logIn(same, "4963") } == .incorrectPIN)
        #expect(fixture.requests(of: permit) == 1 && fixture.requests(of: "POST /rps/pass2") == 1)
        let (last, again) = try fixture.nextProcess()
        try last.logIn(again, "4962")
        #expect(fixture.requests(of: permit) == 1)
    }

    @Test func `a second authority with the wrong day is asked again until it has the right one`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        fixture.reference.secondDay = try #require(PermitDay(20_699))
        #expect(try status { try client.logIn(user, "4962") } == .incorrectPIN)
        #expect(fixture.requests(of: "POST /rps/pass2") == 1)
        fixture.reference.secondDay = nil
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "4962")
        #expect(fixture.requests(of: "POST /rps/pass2") == 1)
    }

    @Test func `a second authority that does not answer leaves the refusal`() throws {
        let (fixture, client, user) = try withStaleShare()
        fixture.answer("/dta/timePermit", .status(502))
        let error = try failure { try client.logIn(user, "4962") }
        #expect(error?.code == .incorrectPIN && error?.pinChecked == .yes)
        fixture.answerAsEver()
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "4962")
        #expect(fixture.requests(of: "POST /rps/pass2") == 1)
    }

    /// With an earlier wrong PIN the second proof could be the one that blocks.
    @Test func `nothing is sent twice after an attempt that counted`() throws {
        let (fixture, client, user) = try withStaleShare()
        client.mpin.beginAttempt(at: user)?.end(.wrong(left: nil))
        #expect(try status { try client.logIn(user, "4962") } == .incorrectPIN)
        #expect(fixture.requests(of: "POST /rps/pass2") == 1)
        try client.logIn(user, "4962")
        #expect(fixture.requests(of: "POST /rps/pass2") == 2)
    }

    @Test func `both proofs of a wrong PIN are noted`() throws {
        let (fixture, client, user) = try withStaleShare()
        let attempt = client.mpin.beginAttempt(at: user)
        let error = try #require(try failure { try client.logIn(user, "4963") })
        attempt?.end(AttemptEnd(error, isBlocked: false))
        #expect(client.mpin.attemptCounts(of: user)?.unresolved == 2)
        try client.logIn(user, "4962")
        #expect(client.mpin.attemptCounts(of: user)?.unresolved == 0)
        #expect(fixture.requests(of: "POST /rps/pass2") == 3)
    }

    @Test(arguments: [
        (0, false), (59, false), (60, true), (43_200, true), (86_339, true), (86_340, false), (86_399, false),
    ]) func `no share is kept around midnight`(second: Int64, isKept: Bool) {
        #expect(StoredLogin.isDayCertain(at: 20_700 * 86_400 + second) == isKept)
    }

    /// The second authority of an old system is on another host.
    @Test func `a second authority that cannot be reached is named`() throws {
        let (fixture, _, _) = try Fixture.enrolled()
        fixture.reference.extensions = [.secondAuthority]
        fixture.reference.secondAuthority = "https://127.0.0.1:1/dta/"
        let (client, user) = try fixture.nextProcess()
        let error = try failure { try client.logIn(user, "4962") }
        #expect(error?.code == .networkError && error?.pinChecked == .no)
        #expect(error?.message == "https://127.0.0.1:1/dta/: The server refused the connection.")
        // A failure at the server names no other party.
        fixture.answer("/rps/timePermit", .status(500))
        #expect(try failure { try client.logIn(user, "4962") }?.message == "The M-Pin server reported an error.")
    }
}

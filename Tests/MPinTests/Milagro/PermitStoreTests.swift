// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

/// The permit store of a server of 2016, which is only a shortcut to the second authority.
@Suite struct PermitStoreTests {
    /// A user who has not logged in yet.
    ///
    /// - Parameter answer: what the store answers; nil for the right share.
    private func enrolled(store answer: Answer? = nil) throws -> (Fixture, Client, User) {
        let fixture = try Fixture()
        fixture.reference.storage = "/storage"
        if let answer { fixture.answer("/storage", answer) }
        let (client, user) = try fixture.enrolled()
        return (fixture, client, user)
    }

    @Test func `a store that hangs costs a fifth of the time`() throws {
        let (fixture, client, user) = try enrolled(store: Answer(delay: 60))
        let began = ContinuousClock.now
        try client.logIn(user, "4962")
        #expect(ContinuousClock.now - began < .seconds(4.8))
        #expect(fixture.requests(of: "/storage/") == 1 && fixture.requests(of: "/dta/timePermit") == 1)
    }

    @Test func `if the authority fails too, it is named`() throws {
        let (fixture, client, user) = try enrolled(store: Answer(delay: 60))
        fixture.reference.extensions = [.secondAuthority]
        fixture.reference.secondAuthority = "https://127.0.0.1:1/dta"
        try client.mpin.setBackend(fixture.server.url)
        let error = try #require(try failure { try client.logIn(user, "4962") })
        #expect(error.code == .networkError && error.message.hasPrefix("https://127.0.0.1:1/dta: "), "\(error)")
    }

    /// A point like any other, such as the share of another day. It makes the right PIN wrong.
    @Test func `a share that is not the authority's is replaced`() throws {
        let other = try ReferenceServer()
        let (fixture, client, user) = try enrolled()
        let reference = fixture.reference
        fixture.server.answer { exchange in
            exchange.path.hasPrefix("/storage/") ? other.answer(exchange) : reference.answer(exchange)
        }
        try client.logIn(user, "4962")
        #expect(fixture.requests(of: "/storage/") == 1 && fixture.requests(of: "/dta/timePermit") == 1)
        // The authority's share is kept for the day.
        try client.logIn(user, "4962")
        #expect(fixture.requests(of: "/storage/") == 1 && fixture.requests(of: "/dta/timePermit") == 1)
    }
}

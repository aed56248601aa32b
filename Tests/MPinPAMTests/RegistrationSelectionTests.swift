// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinConfiguration
import MPinPAM
import MPinWire
import Testing

/// Which registration a login is for.
struct RegistrationSelectionTests {
    struct Stored: RegistrationCandidate, Equatable {
        var identityText: ByteText = "alice@example.org"
        var backendText: ByteText = "https://one.example"
        var state = UserState.registered
        var lastRefusal: MPinStatus?
    }

    func choose(_ stored: [Stored], _ arguments: [String] = [], isDamaged: Bool = false) throws -> Stored {
        let none: [UInt8] = []
        let configuration = try Configuration.parse(none.span, path: "/none", arguments: arguments)
        return try RegistrationSelection.choose(stored, account: "alice", configuration, isDamaged: isDamaged)
    }

    @Test
    func `the only one there is`() throws {
        #expect(try choose([Stored()]) == Stored())
        #expect(try choose([Stored(state: .activated)]).state == .activated)
    }

    @Test
    func `of several, the only one that can log in`() throws {
        #expect(try choose([Stored(state: .startedRegistration), Stored(identityText: "a")]).identityText == "a")
        #expect(try choose([Stored(state: .blocked), Stored(state: .activated)]).state == .blocked)
    }

    @Test
    func `two that can log in are a problem, until the configuration chooses`() throws {
        let two = [Stored(), Stored(backendText: "unix:/run/mpin/server.sock")]
        let error = #expect(throws: RegistrationError.self) { try choose(two) }
        guard case .ambiguous? = error else { return #expect(Bool(false)) }
        #expect(try choose(two, ["server=unix:/run/mpin/server.sock"]) == two[1])
        #expect(try choose(two, ["server=https://one.example/"]) == two[0])
        let identities = [Stored(), Stored(identityText: "alice@example.net")]
        #expect(try choose(identities, ["user_map=%u@example.net"]) == identities[1])
    }

    @Test
    func `of several that can log in, the one with the account's name; never if two servers have it`() throws {
        let own = Stored(identityText: "alice")
        #expect(try choose([Stored(), own]) == own)
        #expect(try choose([own, Stored()], ["user_map=%u@example.org"]) == Stored())
        let both = [own, Stored(identityText: "alice", backendText: "unix:/run/mpin/server.sock")]
        let error = #expect(throws: RegistrationError.self) { try choose(both) }
        guard case .ambiguous? = error else { return #expect(Bool(false)) }
    }

    @Test
    func `the lack of a fitting registration does not prove that the account has none`() throws {
        for arguments in [["server=https://two.example"], ["user_map=%u@example.com"], ["user_map=%u"]] {
            let error = #expect(throws: RegistrationError.self) { try choose([Stored()], arguments) }
            guard case .notEnrolled(isProven: false)? = error?.outcome else { return #expect(Bool(false)) }
        }
        let damaged = #expect(throws: RegistrationError.self) { try choose([], isDamaged: true) }
        guard case .storeUnusable? = damaged?.outcome else { return #expect(Bool(false)) }
    }

    @Test
    func `an identity that only looks alike is another one`() throws {
        let composed = Stored(identityText: "jos\u{E9}@example.org")
        let none: [UInt8] = []
        let configuration = try Configuration.parse(none.span, path: "/none", arguments: ["user_map=%u@example.org"])
        #expect(throws: RegistrationError.self) {
            try RegistrationSelection.choose([composed], account: "jose\u{301}", configuration, isDamaged: false)
        }
    }

    @Test
    func `a revocation counts at any address, for the same identity`() throws {
        let revoked = Stored(lastRefusal: .revoked)
        func isRevoked(_ stored: [Stored], _ arguments: [String]) throws -> Bool {
            let error = #expect(throws: RegistrationError.self) { try choose(stored, arguments) }
            guard case .noneFits(let isRevoked)? = error else { throw try #require(error) }
            return isRevoked
        }
        let two = "server=https://two.example"
        #expect(try isRevoked([revoked], [two]))
        #expect(try isRevoked([revoked, Stored()], [two, "user_map=%u@example.org"]))
        #expect(try !isRevoked([revoked], [two, "user_map=%u@example.com"]))
        #expect(try !isRevoked([Stored(lastRefusal: .clientSecretExpired)], [two]))
        // The registration at the configured server decides.
        #expect(try choose([revoked, Stored(backendText: "https://two.example")], [two]).lastRefusal == nil)
    }
}

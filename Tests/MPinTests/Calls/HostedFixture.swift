// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers

/// A fixture whose server has everything a relying party may have.
final class HostedFixture {
    let fixture: Fixture
    let hosted: HostedServer

    init() throws {
        fixture = try Fixture()
        hosted = HostedServer(fixture.reference)
        answerAsEver()
    }

    var server: LoopbackServer { fixture.server }

    func answerAsEver() {
        let hosted = hosted
        fixture.server.answer { hosted.answer($0) }
    }

    /// Answers one path otherwise.
    func answer(_ path: String, _ answer: Answer) {
        let hosted = hosted
        fixture.server.answer { exchange in
            let usual = hosted.answer(exchange)
            return exchange.path == path || exchange.path.hasPrefix(path + "/") ? answer : usual
        }
    }

    /// A client at this server, without registrations.
    func client(timeout: Int = 5000) throws -> Client {
        let client = Client(try fixture.open(timeout: timeout))
        try client.mpin.setBackend(server.url)
        server.forget()
        return client
    }

    /// The text of a member of the last body that a path has received.
    func last(_ path: String, _ member: String) -> String? {
        hosted.bodies(path).last?[member] as? String
    }
}

extension Client {
    func logIn(_ user: User, _ pin: String, accessNumber: String) throws {
        let pending = try mpin.startAuthentication(user)
        try mpin.finishAuthenticationAN(pending, pin: try secret(pin), accessNumber: accessNumber)
    }

    func oneTimePassword(_ user: User, _ pin: String) throws -> OTP {
        let pending = try mpin.startAuthentication(user)
        return try mpin.finishAuthenticationOTP(pending, pin: try secret(pin))
    }

    func authorizationCode(_ user: User, _ pin: String) throws -> String {
        let pending = try mpin.startAuthentication(user)
        return try mpin.finishAuthenticationMFA(pending, pin: try secret(pin))
    }

    func parameter(_ name: String) -> String { mpin.getClientParam(name) }

    func user(_ identity: String) -> User? { mpin.user(identity: identity) }

    func canLogout(_ user: User) -> Bool { mpin.canLogout(user) }

    func logout(_ user: User) -> Bool { mpin.logout(user) }

    func register(_ user: User, _ pin: String) throws {
        try mpin.startRegistration(user)
        try mpin.confirmRegistration(user)
        try mpin.finishRegistration(user, pin: try secret(pin))
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers

/// A fixture whose server has everything a relying party may have.
final class HostedFixture: Fixture, @unchecked Sendable {
    let hosted: HostedServer

    required convenience init() throws { try self.init(HostedServer(ReferenceServer())) }

    private init(_ hosted: HostedServer) throws {
        self.hosted = hosted
        try super.init(hosted.reference) { hosted.answer($0) }
    }

    /// The server learns of the request all the same.
    override func answer(_ path: String, _ answer: Answer) { alter(path) { _ in answer } }

    override func client(timeout: Int = 5000) throws -> Client {
        let client = try super.client(timeout: timeout)
        server.forget()
        return client
    }

    override func newUser(_ area: FileStore.Area = .users, acceptsOld: Bool = true) throws -> (Client, User) {
        let made = try super.newUser(area, acceptsOld: acceptsOld)
        server.forget()
        return made
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
}

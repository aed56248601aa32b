// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinCrypto
import MPinWire
import TestPeers
import Testing

/// A fixture whose server has a key, and offers device keys by default.
final class DirectFixture: Fixture, @unchecked Sendable {
    let direct: DirectServer

    required convenience init() throws { try self.init(isOld: false) }

    /// - Parameter isOld: whether the server begins as one of 2016.
    convenience init(isOld: Bool) throws {
        try self.init(DirectServer(ReferenceServer()))
        direct.isOld = isOld
    }

    private init(_ direct: DirectServer) throws {
        self.direct = direct
        // Settings are kept for the server's day, which is that of its permits as well.
        direct.reference.day = try #require(PermitDay(Int(Date().timeIntervalSince1970) / 86_400))
        try super.init(direct.reference) { direct.answer($0) }
    }

    /// Has a path, or one below it, answered otherwise by the server itself: with its proof. A body that cannot have a
    /// proof is replaced.
    func answerSigned(_ path: String, _ answer: Answer) {
        let direct = direct
        server.answer { exchange in
            guard exchange.isAt(path), let (kind, request) = try? direct.statement(of: exchange)
            else { return direct.answer(exchange) }
            return direct.signer.prove(answer, kind, request)
        }
    }

    /// The server is one of this version from now on.
    func update() { direct.isOld = false }

    /// A user that has logged in once, and the process after that.
    func warm() throws -> (Client, User) {
        let (client, user) = try enrolled()
        try client.logIn(user, "4962")
        return try nextProcess()
    }

    static func warm(isOld: Bool = false) throws -> (DirectFixture, Client, User) {
        let fixture = try DirectFixture(isOld: isOld)
        let (client, user) = try fixture.warm()
        return (fixture, client, user)
    }

    /// The cached data of a registration, by their names; without a user, those of the first one.
    func cached(of user: User? = nil) throws -> [String: Any] {
        let cache = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: cachePath)))
        let logins = (cache as? [String: Any])?["logins"] as? [[String: Any]] ?? []
        return try #require(logins.first { user == nil || $0["mpinId"] as? String == user?.mpinID })
    }

    /// Adds members to the cached data of the only registration.
    func cache(_ members: [String: Any]) throws {
        let login = try cached().merging(members) { $1 }
        try JSONSerialization.data(withJSONObject: ["version": 2, "logins": [login]] as [String: Any])
            .write(to: URL(fileURLWithPath: cachePath))
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinCrypto
import MPinWire
import TestPeers
import Testing

/// A fixture whose server has a key, and offers device keys by default.
final class DirectFixture: Sendable {
    let fixture: Fixture
    let direct: DirectServer

    /// - Parameter isOld: whether the server begins as one of 2016.
    init(isOld: Bool = false) throws {
        fixture = try Fixture()
        direct = try DirectServer(fixture.reference)
        // Settings are kept for the server's day, which is that of its permits as well.
        fixture.reference.day = try #require(PermitDay(Int(Date().timeIntervalSince1970) / 86_400))
        direct.isOld = isOld
        answerAsEver()
    }

    var server: LoopbackServer { fixture.server }

    func answerAsEver() {
        let direct = direct
        server.answer { direct.answer($0) }
    }

    /// Has a path answered otherwise, without a proof: by an attacker, or by something between client and server.
    func answer(_ path: String, _ answer: Answer) {
        let direct = direct
        server.answer { $0.path == path ? answer : direct.answer($0) }
    }

    /// Has a path, or one below it, answered otherwise by the server itself: with its proof. A body that cannot have a
    /// proof is replaced.
    func answerSigned(_ path: String, _ answer: Answer) {
        let direct = direct
        server.answer { exchange in
            guard exchange.path == path || exchange.path.hasPrefix(path + "/"),
                let (kind, request) = try? direct.statement(of: exchange)
            else { return direct.answer(exchange) }
            return direct.signer.prove(answer, kind, request)
        }
    }

    /// Changes the answers to the requests of a path.
    func alter(_ path: String, _ change: @escaping @Sendable (Answer) -> Answer) {
        let direct = direct
        server.answer { $0.path.hasPrefix(path) ? change(direct.answer($0)) : direct.answer($0) }
    }

    /// Changes the settings that the server sends.
    func alterSettings(_ change: @escaping @Sendable (inout ClientSettings) -> Void) {
        alter("/rps/clientSettings") { answer in
            guard var settings = try? ClientSettings.decode(answer.body.span) else { return answer }
            change(&settings)
            return .json(settings.encode())
        }
    }

    /// The server is one of this version from now on.
    func update() { direct.isOld = false }

    /// Another process, which finds what earlier ones left.
    func nextProcess() throws -> (Client, User) {
        let client = Client(try fixture.open())
        try client.mpin.selectBackend(server.url)
        server.forget()
        return (client, try #require(client.mpin.users.first))
    }

    /// A user that has logged in once, and the process after that.
    func warm() throws -> (Client, User) {
        let (client, user) = try fixture.enrolled()
        try client.logIn(user, "4962")
        return try nextProcess()
    }

    /// The cached data of a registration, by their names; without a user, those of the first one.
    func cached(of user: User? = nil) throws -> [String: Any] {
        let cache = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: fixture.cachePath)))
        let logins = (cache as? [String: Any])?["logins"] as? [[String: Any]] ?? []
        return try #require(logins.first { user == nil || $0["mpinId"] as? String == user?.mpinID })
    }

    /// Adds members to the cached data of the only registration.
    func cache(_ members: [String: Any]) throws {
        let login = try cached().merging(members) { $1 }
        try JSONSerialization.data(withJSONObject: ["version": 2, "logins": [login]] as [String: Any])
            .write(to: URL(fileURLWithPath: fixture.cachePath))
    }

    func requests(of path: String) -> Int { server.requests.filter { $0.hasSuffix(path) }.count }
}

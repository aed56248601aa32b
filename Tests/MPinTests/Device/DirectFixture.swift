// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinCrypto
import MPinWire
import TestPeers
import Testing

/// A fixture whose server accepts device keys and direct logins by default.
final class DirectFixture: Sendable {
    let fixture: Fixture
    let direct: DirectServer

    /// - Parameters:
    ///   - isOld: whether it begins as a server that knows neither.
    ///   - proves: whether the server proves its answers.
    init(isOld: Bool = false, proves: Bool = false) throws {
        fixture = try Fixture()
        direct = try DirectServer(fixture.reference)
        direct.offersProof = proves
        // Settings are kept for the server's day, which is that of its permits as well.
        fixture.reference.day = try #require(PermitDay(Int(Date().timeIntervalSince1970) / 86_400))
        (direct.offersKeys, direct.offersDirect) = (!isOld, !isOld)
        answerAsEver()
    }

    var server: LoopbackServer { fixture.server }

    func answerAsEver() {
        let direct = direct
        server.answer { direct.answer($0) }
    }

    /// Has a path answered otherwise.
    func answer(_ path: String, _ answer: Answer) {
        let direct = direct
        server.answer { $0.path == path ? answer : direct.answer($0) }
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
    func update() { (direct.offersKeys, direct.offersDirect) = (true, true) }

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

    func requests(of path: String) -> Int { server.requests.filter { $0.hasSuffix(path) }.count }
}

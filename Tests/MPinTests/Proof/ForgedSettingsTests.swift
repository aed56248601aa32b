// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

/// Settings from an attacker: they are not signed, and must not outlive the attack by even one login.
@Suite struct ForgedSettingsTests {
    enum Forgery: CaseIterable, Sendable {
        case otherPath, otherHost, otherKey, noExtensions, noAddress, otherName
    }

    private func forge(_ fixture: DirectFixture, _ forgery: Forgery) throws {
        let key = try ServerSigner().publicKey
        fixture.alterSettings { settings in
            switch forgery {
            case .otherPath: settings[.directURL] = "/rps/elsewhere"
            case .otherHost: settings[.directURL] = "https://attacker.example/rps/elsewhere"
            case .otherKey: settings.serverKey = key
            case .noExtensions: settings.extensions = []
            case .noAddress: settings[.directURL] = ""
            case .otherName: settings.serverID = HexText(bytes: [1, 2, 3])
            }
        }
    }

    private func settings(_ fixture: DirectFixture) -> String {
        (try? String(contentsOfFile: fixture.fixture.cachePath, encoding: .utf8)) ?? ""
    }

    @Test(arguments: Forgery.allCases, [true, false])
    func `forged settings end with the attack`(forgery: Forgery, sameProcess: Bool) throws {
        let fixture = try DirectFixture(proves: true)
        _ = try fixture.warm()
        try FileManager.default.removeItem(atPath: fixture.fixture.cachePath)
        var (client, user) = try fixture.nextProcess()
        try forge(fixture, forgery)
        let error = try failure { try client.logIn(user, "4962") }
        // Neither the address nor the extensions nor the key in the settings matter to a registration with a pin.
        #expect(error == nil && fixture.requests(of: DirectServer.path) == 1)
        #expect(user.state == .registered && user.lastRefusal == nil)
        #expect(!fixture.server.requests.contains { $0.contains("pass") || $0.contains("timePermit") })
        fixture.answerAsEver()
        if !sameProcess { (client, user) = try fixture.nextProcess() }
        try client.logIn(user, "4962")
    }

    /// The attacker keeps the settings, and no answer comes.
    @Test func `silence after forged settings is followed by new ones`() throws {
        let fixture = try DirectFixture(proves: true)
        _ = try fixture.warm()
        try FileManager.default.removeItem(atPath: fixture.fixture.cachePath)
        let (client, user) = try fixture.nextProcess()
        let direct = fixture.direct
        fixture.server.answer { exchange in
            let answer = direct.answer(exchange)
            guard exchange.path == "/rps/clientSettings", var settings = try? ClientSettings.decode(answer.body.span)
            else { return .hangUp }
            settings[.directURL] = "/rps/elsewhere"
            return .json(settings.encode())
        }
        #expect(try status { try client.logIn(user, "4962") } == .networkError)
        fixture.answerAsEver()
        try client.logIn(user, "4962")
    }

    /// The user gives up at the prompt, so no answer follows.
    @Test func `settings without a proven answer are not cached`() throws {
        let fixture = try DirectFixture(proves: true)
        _ = try fixture.warm()
        try FileManager.default.removeItem(atPath: fixture.fixture.cachePath)
        let (client, user) = try fixture.nextProcess()
        try forge(fixture, .otherPath)
        _ = try client.mpin.startAuthentication(user)
        #expect(!settings(fixture).contains("elsewhere"))
        fixture.answerAsEver()
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "4962")
        #expect(settings(fixture).contains(DirectServer.path))
    }

    @Test func `another key in cached settings does not matter`() throws {
        let fixture = try DirectFixture(proves: true)
        _ = try fixture.warm()
        let path = fixture.fixture.cachePath
        let key = fixture.direct.signer.publicKey.string
        let cache = try String(contentsOfFile: path, encoding: .utf8)
        try cache.replacingOccurrences(of: key, with: ServerSigner().publicKey.string)
            .write(toFile: path, atomically: false, encoding: .utf8)
        let (client, user) = try fixture.nextProcess()
        try client.logIn(user, "4962")
        #expect(fixture.server.requests == DirectLoginTests.only)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

/// Settings from an attacker: they are not signed, and a login with a device key neither needs nor keeps them.
@Suite struct ForgedSettingsTests {
    enum Forgery: CaseIterable, Sendable {
        case otherPath, otherHost, otherKey, noExtensions, noAddress, otherName, otherPlaces, malformed
    }

    private func forge(_ fixture: DirectFixture, _ forgery: Forgery) throws {
        if forgery == .malformed { return fixture.answer("/rps/clientSettings", .status(200, "[]")) }
        let key = try ServerSigner().publicKey
        fixture.alterSettings { settings in
            switch forgery {
            case .otherPath: settings[.directURL] = "/rps/elsewhere"
            case .otherHost: settings[.directURL] = "https://attacker.example/rps/elsewhere"
            case .otherKey: settings.serverKey = key
            case .noExtensions: settings.extensions = []
            case .noAddress: settings[.directURL] = ""
            case .otherName: settings.serverID = HexText(bytes: [1, 2, 3])
            case .otherPlaces:
                for setting: MemberName in [.statusURL, .codeStatusURL, .mpinAuthServerURL, .authenticateURL] {
                    settings[setting] = "/rps/elsewhere"
                }
            case .malformed: break
            }
        }
    }

    private func cache(_ fixture: DirectFixture) -> String {
        (try? String(contentsOfFile: fixture.cachePath, encoding: .utf8)) ?? ""
    }

    @Test(arguments: Forgery.allCases, [true, false])
    func `forged settings change nothing`(forgery: Forgery, isRead: Bool) throws {
        let (fixture, _, _) = try DirectFixture.warm()
        try FileManager.default.removeItem(atPath: fixture.cachePath)
        let (client, user) = try fixture.nextProcess()
        try forge(fixture, forgery)
        // A program may have read them for another call.
        if isRead, forgery != .malformed { try client.mpin.setBackend(fixture.server.url) }
        fixture.server.forget()
        let pending = try client.mpin.startAuthentication(user, accessCode: "4241703")
        try client.mpin.finishAuthentication(pending, pin: secret("4962"))
        #expect(fixture.server.requests == ["POST /rps/codeStatus"] + DirectLoginTests.only)
        #expect(user.state == .registered && user.lastRefusal == nil)
        #expect(!cache(fixture).contains("elsewhere") && !cache(fixture).contains("settings"))
    }

    @Test(arguments: Forgery.allCases) func `forged settings do not change where a status comes from`(
        forgery: Forgery
    ) throws {
        let (fixture, client, user) = try DirectFixture.warm()
        fixture.direct.revocation = "laptop lost"
        #expect(try status { try client.logIn(user, "4962") } == .revoked)
        fixture.direct.revocation = nil
        try forge(fixture, forgery)
        if forgery != .malformed { try client.mpin.setBackend(fixture.server.url) }
        fixture.server.forget()
        _ = try client.mpin.startAuthentication(user)
        #expect(fixture.server.requests == DirectLoginTests.asked && user.lastRefusal == nil)
    }

    /// The attacker keeps the settings, and no answer comes.
    @Test func `silence with forged settings is followed by a login`() throws {
        let (fixture, _, _) = try DirectFixture.warm()
        let (client, user) = try fixture.nextProcess()
        let usual = fixture.usual
        fixture.server.answer { exchange in
            let answer = usual(exchange)
            guard exchange.path == "/rps/clientSettings", var settings = try? ClientSettings.decode(answer.body.span)
            else { return .hangUp }
            settings[.directURL] = "/rps/elsewhere"
            return .json(settings.encode())
        }
        try client.mpin.setBackend(fixture.server.url)
        #expect(try status { try client.logIn(user, "4962") } == .networkError)
        fixture.answerAsEver()
        fixture.server.forget()
        try client.logIn(user, "4962")
        #expect(fixture.server.requests == DirectLoginTests.only)
    }

    /// An earlier program, or an attacker who could write the cache once.
    @Test func `cached settings do not matter`() throws {
        let (fixture, _, _) = try DirectFixture.warm()
        let forged: [String: Any] = [
            "registerURL": "/rps/elsewhere", "signatureURL": "/rps/elsewhere", "certivoxURL": "/rps/elsewhere",
            "timePermitsURL": "/rps/elsewhere", "timePermitsStorageURL": "", "mpinAuthServerURL": "/rps/elsewhere",
            "authenticateURL": "/rps/elsewhere", "appID": "01", "directURL": "/rps/elsewhere",
            "serverKey": try ServerSigner().publicKey.string,
        ]
        try fixture.cache(["settings": forged, "settingsDay": Int(Date().timeIntervalSince1970) / 86_400])
        let (client, user) = try fixture.nextProcess()
        try client.logIn(user, "4962")
        #expect(fixture.server.requests == DirectLoginTests.only)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

/// Refusals that the server of a registration has not signed, as of a proxy or a captive portal. Whatever was asked, they
/// say no more than a missing answer.
@Suite struct UnsignedRefusalTests {
    static let answers: [Answer] =
        [400, 401, 403, 404, 406, 407, 408, 409, 410, 412, 422, 429, 451].map { .status($0, "{\"attemptsLeft\":0}") }
        + [.status(200, "<html>")]

    /// Requests that are made for a registration with a device key, with the path of each.
    enum Request: String, CaseIterable, Sendable {
        case settings, settingsOfUser, stagedSettings, details, denial, login, oneTimePassword, changePIN, approval
        case devices, revocation, revocationOfDevice, invitation, backupCodes, signOut, liftBlock, status, hello

        var path: String {
            switch self {
            case .settings, .settingsOfUser, .stagedSettings: "/rps/clientSettings"
            case .details, .denial: "/rps/codeStatus"
            case .status: DirectServer.statusPath
            case .hello: DirectServer.helloPath
            default: DirectServer.path
            }
        }
    }

    private func make(_ request: Request, _ fixture: DirectFixture, _ client: Client, _ user: User) throws {
        let pin = try secret("4962")
        switch request {
        case .settings: try client.mpin.setBackend(fixture.server.url)
        case .settingsOfUser: _ = try client.mpin.setBackend(of: user, needing: .owner)
        case .stagedSettings: _ = try fixture.newUser(.staging)
        case .details: _ = try client.mpin.getSessionDetails("4241703")
        case .denial: _ = try client.mpin.deny("4241703")
        case .hello:
            _ = try MPinClient.hello(fixture.server.url, options: TransportOptions(), isKnown: true)
        case .changePIN: try client.mpin.changePIN(user, from: pin, to: secret("7385"))
        case .liftBlock: try client.mpin.liftBlock(of: user, pin: pin)
        case .status: _ = try client.mpin.startAuthentication(user)
        default: try logIn(request, client, user, pin)
        }
    }

    private func logIn(_ request: Request, _ client: Client, _ user: User, _ pin: borrowing PIN) throws {
        let pending = try client.mpin.startAuthentication(user)
        switch request {
        case .oneTimePassword: _ = try client.mpin.finishAuthenticationOTP(pending, pin: pin)
        case .approval: try client.mpin.finishAuthenticationAN(pending, pin: pin, accessNumber: "4241703")
        case .devices: _ = try client.mpin.devices(by: pending, pin: pin)
        case .revocation: try client.mpin.revoke(registration: user.mpinID, by: pending, pin: pin)
        case .revocationOfDevice: try client.mpin.revokeDevice(7, by: pending, pin: pin)
        case .invitation: _ = try client.mpin.invite(seconds: 60, by: pending, pin: pin)
        case .backupCodes: _ = try client.mpin.makeBackupCodes(count: 8, by: pending, pin: pin)
        case .signOut: _ = try client.mpin.signOut(all: true, by: pending, pin: pin)
        default: _ = try client.mpin.finishAuthentication(pending, pin: pin)
        }
    }

    @Test(arguments: Request.allCases) func `is no answer`(request: Request) throws {
        let fixture = try DirectFixture()
        fixture.reference.extensions = [.deny, .requester]
        fixture.alterSettings { $0[.codeStatusURL] = "/rps/codeStatus" }
        _ = try fixture.warm()
        // The answer to a rejection is only a status, which nothing proves.
        for answer in Self.answers where request != .denial || ![200, 412].contains(answer.status) {
            let client = Client(try fixture.open())
            let user = try #require(client.mpin.allUsers.first)
            if [.details, .denial].contains(request) {
                _ = try client.mpin.setBackend(of: user, needing: .deny)
            } else {
                try client.mpin.selectBackend(fixture.server.url)
            }
            if request == .liftBlock { try block(fixture, client, user) }
            if request == .status { try revoke(fixture, client, user) }
            fixture.answer(request.path, answer)
            let record = try fixture.record()
            let error = try #require(
                try failure { try make(request, fixture, client, user) }, "\(request) \(answer.status)")
            #expect(error.code == .networkError && error.cause == .unproven, "\(request) \(answer.status): \(error)")
            #expect(error.httpStatus == nil && error.attemptsLeft == nil && error.pinChecked != .yes)
            #expect(try fixture.record() == record)
            fixture.alterSettings { $0[.codeStatusURL] = "/rps/codeStatus" }
            if request == .liftBlock || request == .status { continue }
            try client.mpin.selectBackend(fixture.server.url)
            try client.logIn(user, "4962")
        }
    }

    private func block(_ fixture: DirectFixture, _ client: Client, _ user: User) throws {
        for _ in 1...3 { _ = try status { try client.logIn(user, "4963") } }
        try #require(user.state == .blocked)
    }

    private func revoke(_ fixture: DirectFixture, _ client: Client, _ user: User) throws {
        fixture.direct.revocation = "left"
        _ = try status { try client.logIn(user, "4962") }
        try #require(user.lastRefusal == .revoked)
    }

    /// Only that the query has expired can be known, because the same client made it.
    @Test(arguments: [400, 401, 403, 404, 410, 429]) func `the second authority of an enrollment`(code: Int) throws {
        let (fixture, client, user) = try DirectFixture.newUser()
        try client.mpin.startRegistration(user)
        fixture.answer("/dta/clientSecret", .status(code))
        let error = try #require(try failure { try client.mpin.confirmRegistration(user) })
        #expect(error.code == .networkError && error.httpStatus == nil && user.holdsFirstShare)
        fixture.answerAsEver()
        try client.finish(user)
    }

    /// Without a device key, nothing is signed, and every answer counts.
    @Test func `a Milagro registration believes it`() throws {
        let (fixture, client, _) = try DirectFixture.warm(isOld: true)
        fixture.answer("/rps/clientSettings", .status(404))
        let error = try failure { try client.mpin.setBackend(fixture.server.url) }
        #expect(error?.code == .httpRequestError && error?.httpStatus == 404)
    }
}

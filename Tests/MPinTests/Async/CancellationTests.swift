// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinAsync
import TestPeers
import Testing

/// Tasks that are canceled while a call waits.
@Suite struct CancellationTests {
    /// Cancels a call after a time. Returns how long it then went on, and how it failed.
    private func cancel(
        after seconds: Double, _ call: @escaping @Sendable () async throws -> Void
    ) async throws -> (late: Duration, error: MPinError?) {
        let task = Task { try await failure(call) }
        try await Task.sleep(for: .seconds(seconds))
        let begin = ContinuousClock.now
        task.cancel()
        let error = try await task.value
        return (ContinuousClock.now - begin, error)
    }

    /// The promise is 100 milliseconds, which scripts/sdk-package measures in a process of its own. Here other tests keep
    /// the threads busy. A server that says nothing says it for longer.
    private static let limit = Duration.seconds(4)

    /// Six sign-ins at a server that says nothing: other tasks go on, and each sign-in can be canceled at once, whether
    /// it waits for the server or for its turn.
    @Test func `a silent server holds up nothing else`() async throws {
        let fixture = try DirectFixture()
        let (client, user) = try await fixture.asyncEnrolled()
        fixture.fallSilent(at: "/mpinDirect")
        let stall = Stall()
        async let watching: Void = stall.watch()
        let tasks = (0..<6).map { _ in Task { try await failure { try await client.logIn(user, "4962") } } }
        try await Task.sleep(for: .seconds(1))
        var errors: [MPinError] = []
        for task in tasks {
            let begin = ContinuousClock.now
            task.cancel()
            errors.append(try #require(try await task.value))
            let late = ContinuousClock.now - begin
            #expect(late < Self.limit, "\(late)")
        }
        #expect(await stall.end() < Self.limit)
        await watching
        #expect(errors.allSatisfy { $0.reason == .canceled && $0.code == .networkError })
        // The first one was sent, and each that got its turn when another was canceled.
        #expect(errors.filter { $0.pinChecked == .maybe }.count == fixture.requests(of: "/mpinDirect"))
        fixture.answerAsEver()
        try await client.logIn(user, "4962")
    }

    enum Call: String, CaseIterable, Sendable {
        case setBackend, testBackend, getServiceDetails, getSessionDetails, startRegistration, restartRegistration
        case confirmRegistration, finishRegistration, startAuthentication, finishAuthentication
        case finishAuthenticationOTP, finishAuthenticationMFA, finishAuthenticationAN, changePIN, liftBlock, devices
        case revokeDevice, invite, makeBackupCodes, confirm, signOut, sshCertificate, deny, logout, deleteUser, users
    }

    /// Each call, canceled at each of its requests and at moments in between: it ends soon, and the client goes on.
    @Test(arguments: Call.allCases) func `ends soon and does no harm`(call: Call) async throws {
        let fixture = try DirectFixture()
        let (client, user) = try await fixture.asyncEnrolled()
        let new = try await client.makeUser("bob@example.org")
        let box = PendingBox(try await client.startAuthentication(user.id))
        let work: @Sendable () async throws -> Void = { try await Self.make(call, client, fixture, user, new, box) }
        func judge(_ late: Duration, _ error: MPinError?, _ step: String) {
            #expect(late < Self.limit, "\(call) \(step): \(late)")
            let mayHaveCounted = error?.reason == .canceled && error?.pinChecked == .maybe
            #expect(!mayHaveCounted || Self.sendsPIN.contains(call), "\(call) \(step)")
        }
        // The old PIN is wrong once it has been changed.
        var isDone = false
        for number in 0..<4 where call != .changePIN || !isDone {
            fixture.fallSilent(after: number)
            let (late, error) = try await cancel(after: 0.05, work)
            judge(late, error, "at request \(number)")
            isDone = isDone || error == nil
        }
        fixture.answerAsEver()
        for moment in [0, 0.0003, 0.001, 0.002, 0.004, 0.008] where call != .changePIN || !isDone {
            let (late, error) = try await cancel(after: moment, work)
            judge(late, error, "after \(moment)")
            isDone = isDone || error == nil
        }
        fixture.direct.forgetFailures()
        try await client.setBackend(fixture.server.url)
        guard call != .deleteUser else { return }
        let pin = call == .changePIN && isDone ? "7385" : "4962"
        #expect(try await failure { try await client.logIn(user, pin) } == nil)
    }

    /// A server issues each share once, so the first one is kept.
    @Test func `a confirmation that was canceled can be repeated`() async throws {
        let fixture = try DirectFixture()
        let client = try await fixture.asyncClient()
        let user = try await client.makeUser("alice@example.org")
        try await client.startRegistration(user.id)
        fixture.fallSilent(after: 1)
        let (late, error) = try await cancel(after: 0.3) { try await client.confirmRegistration(user.id) }
        #expect(late < Self.limit && error?.reason == .canceled)
        #expect(try await client.user(user.id).state == .activated)
        fixture.answerAsEver()
        try await client.confirmRegistration(user.id)
        #expect(try await client.finishRegistration(user.id, pin: secret("4962")).state == .registered)
        try await client.logIn(user, "4962")
    }

    /// The old registration is in use until the new one has logged in.
    @Test(arguments: 0..<4) func `a recovery that was canceled can be repeated`(number: Int) async throws {
        let fixture = try DirectFixture()
        let (client, user) = try await fixture.asyncEnrolled()
        let staged = try await fixture.asyncClient(.staging)
        let renewed = try await staged.makeUser("alice@example.org")
        try await staged.startRegistration(renewed.id)
        try await staged.confirmRegistration(renewed.id)
        try await staged.finishRegistration(renewed.id, pin: secret("7385"))
        fixture.fallSilent(after: number)
        let (late, _) = try await cancel(after: 0.3) { try await staged.recover(renewed.id, pin: secret("7385")) }
        #expect(late < Self.limit)
        fixture.answerAsEver()
        if try await failure({ try await client.logIn(user, "4962") }) == nil {
            try await staged.recover(renewed.id, pin: secret("7385"))
        }
        let later = try await fixture.asyncClient()
        let users = try await later.users
        #expect(users.count == 1 && users[0].mpinID != user.mpinID)
        try await later.logIn(users[0], "7385")
    }

    private static let sendsPIN: [Call] = [
        .finishAuthentication, .finishAuthenticationOTP, .finishAuthenticationMFA, .finishAuthenticationAN, .changePIN,
        .devices, .revokeDevice, .invite, .makeBackupCodes, .confirm, .signOut, .sshCertificate,
    ]

    /// A started login that closures can share.
    private final class PendingBox: Sendable {
        let login: PendingSignIn

        init(_ login: consuming PendingSignIn) { self.login = login }
    }

    private static func make(
        _ call: Call, _ client: AsyncMPinClient, _ fixture: DirectFixture, _ user: UserInfo, _ new: UserInfo,
        _ box: PendingBox
    ) async throws {
        let pin = try secret("4962"), url = fixture.server.url
        switch call {
        case .setBackend: try await client.setBackend(url)
        case .testBackend: try await client.testBackend(url)
        case .getServiceDetails: _ = try await client.getServiceDetails(url)
        case .getSessionDetails: _ = try await client.getSessionDetails("4241703")
        case .startRegistration: try await client.startRegistration(new.id)
        case .restartRegistration: try await client.restartRegistration(new.id)
        case .confirmRegistration: try await client.confirmRegistration(new.id)
        case .finishRegistration: try await client.finishRegistration(new.id, pin: pin)
        case .startAuthentication: _ = try await client.startAuthentication(user.id, accessCode: "4241703")
        case .finishAuthentication: try await client.finishAuthentication(box.login, pin: pin)
        case .finishAuthenticationOTP: _ = try await client.finishAuthenticationOTP(box.login, pin: pin)
        case .finishAuthenticationMFA: _ = try await client.finishAuthenticationMFA(box.login, pin: pin)
        case .finishAuthenticationAN:
            try await client.finishAuthenticationAN(box.login, pin: pin, accessNumber: "4241703")
        case .changePIN: try await client.changePIN(user.id, from: pin, to: secret("7385"))
        case .liftBlock: try await client.liftBlock(of: user.id, pin: pin)
        case .devices: _ = try await client.devices(by: box.login, pin: pin)
        case .revokeDevice: try await client.revokeDevice(7, by: box.login, pin: pin)
        case .invite: _ = try await client.invite(by: box.login, pin: pin)
        case .makeBackupCodes: _ = try await client.makeBackupCodes(count: 2, by: box.login, pin: pin)
        case .confirm:
            let codes = try await client.makeBackupCodes(count: 2, by: box.login, pin: pin)
            try await client.confirm(codes, by: box.login, pin: pin)
        case .signOut: _ = try await client.signOut(all: true, by: box.login, pin: pin)
        case .sshCertificate: _ = try await client.sshCertificate(for: "AAAA", by: box.login, pin: pin)
        case .deny: _ = try await client.deny("4241703")
        case .logout: try await client.logout(user.id)
        case .deleteUser: try await client.deleteUser(user.id)
        case .users: _ = try await client.users
        }
    }

    /// The lock of the store, held by another program.
    @Test func `a wait for a lock ends`() async throws {
        let fixture = try DirectFixture()
        let (client, user) = try await fixture.asyncEnrolled()
        let lock = open(fixture.store + "/users/alice.lock", O_RDONLY | O_CLOEXEC)
        defer { close(lock) }
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        let (late, error) = try await cancel(after: 0.2) { try await client.deleteUser(user.id) }
        #expect(late < Self.limit && error == MPinError(code: .networkError, reason: .canceled))
    }

    /// An application's store that blocks: only its client waits for it.
    @Test func `a store that blocks holds up only its client`() async throws {
        let fixture = try DirectFixture()
        let store = MemoryStore()
        let client = try await AsyncMPinClient(store: store)
        try await client.setBackend(fixture.server.url)
        let user = try await client.makeUser("alice@example.org")
        let stall = Stall()
        async let watching: Void = stall.watch()
        store.interruption = { (_) throws(MPinError) in Thread.sleep(forTimeInterval: 1.5) }
        let first = Task { try await failure { try await client.startRegistration(user.id) } }
        try await Task.sleep(for: .milliseconds(50))
        let (late, error) = try await cancel(after: 0.01) { _ = try await client.users }
        #expect(late < Self.limit && error?.reason == .canceled)
        #expect(try await first.value == nil)
        #expect(await stall.end() < Self.limit)
        await watching
    }
}

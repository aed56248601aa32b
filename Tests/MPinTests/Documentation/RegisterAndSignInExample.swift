// SPDX-License-Identifier: Apache-2.0
import MPin

final class SignIn {
    private var client: MPinClient
    private var started: PendingAuthentication?

    init(_ client: consuming MPinClient) { self.client = client }

    func begin(_ user: User) throws(MPinError) {
        started = try client.startAuthentication(user)
    }

    func finish(_ pin: borrowing PIN) throws(MPinError) -> Bool {
        guard let login = started.take() else { return false }
        do throws(MPinError) {
            try client.finishAuthentication(login, pin: pin)
            return true
        } catch {
            guard error.code == .incorrectPIN, login.user.state == .registered else { throw error }
            started = consume login
            return false
        }
    }
}

/// The examples of the article on registering and signing in, as they stand there.
struct RegisterAndSignInExample {
    let directory: String
    let server: String
    let invitation: String
    let recoveryCode = "0000-1111-2222-3333"
    var digits = Array("804713".utf8)
    /// What the person was shown.
    let shown = Shown()

    struct Refusal: Error {
        let reason: String
    }

    /// Registers, signs in, and finds the user again.
    func run() throws {
        var client = try MPinClient(store: FileStore(directory: directory, account: "alice", create: true))
        try client.setBackend(server)

        let user = client.makeUser("alice@example.org", deviceName: "laptop")
        try client.startRegistration(user, invitation: invitation)
        if user.state == .startedRegistration {
            try waitForVerification(of: user, by: &client)
        } else {
            try client.confirmRegistration(user)
        }

        var pin = try PIN()
        try readDigits(into: &pin)
        if let weakness = pin.weakness() {
            throw Refusal(reason: weakness.explanation.description)
        }
        try client.finishRegistration(user, pin: pin)

        try signIn(user, pin, by: &client)
        try findAgain(by: &client)
    }

    /// Changes the PIN, and lifts a block with it.
    func change(_ user: User, from pin: borrowing PIN, to newPIN: borrowing PIN, by client: inout MPinClient) throws {
        try client.changePIN(user, from: pin, to: newPIN)
    }

    func unblock(_ user: User, pin: borrowing PIN, by client: inout MPinClient) throws {
        if user.state == .blocked {
            try client.liftBlock(of: user, pin: pin)
        }
    }

    /// Registers anew beside a registration that no longer logs in.
    func recover(with newPIN: borrowing PIN) throws {
        var staged = try MPinClient(
            store: FileStore(directory: directory, account: "alice", area: .staging, create: true))
        try staged.discardLeftovers()
        try staged.setBackend(server)
        let renewed = staged.makeUser("alice@example.org", deviceName: "laptop")
        try staged.startRegistration(renewed, invitation: recoveryCode)
        try staged.confirmRegistration(renewed)
        try staged.finishRegistration(renewed, pin: newPIN)
        if try !staged.recover(renewed, pin: newPIN) {
            show("The server may still know the old registration.")
        }
    }

    func waitForVerification(of user: User, by client: inout MPinClient) throws(MPinError) {
        while true {
            do throws(MPinError) {
                return try client.confirmRegistration(user)
            } catch {
                guard error.code == .identityNotVerified, personWantsToWait() else { throw error }
            }
        }
    }

    private func signIn(_ user: User, _ pin: borrowing PIN, by client: inout MPinClient) throws {
        let started = try client.startAuthentication(user)
        do throws(MPinError) {
            let result = try client.finishAuthentication(started, pin: pin)
            show("Signed in: " + result.data)
        } catch {
            switch error.code {
            case .incorrectPIN where user.state == .blocked: show("Blocked: ask the administrator, or register again.")
            case .incorrectPIN: show("Wrong PIN.")
            default: show(error.message)
            }
        }
    }

    private func findAgain(by client: inout MPinClient) throws {
        if let user = client.user(identity: "alice@example.org"), user.state == .registered {
            _ = try client.startAuthentication(user)
        }
    }

    private func readDigits(into pin: inout PIN) throws(MPinError) {
        pin.fill(count: digits.count) { target in
            for index in digits.indices { target[index] = digits[index] }
        }
    }

    /// Stands for the person, who verifies the identity meanwhile.
    private func personWantsToWait() -> Bool {
        shown.whileWaiting()
        return true
    }

    private func show(_ text: String) { shown.texts.append(text) }
}

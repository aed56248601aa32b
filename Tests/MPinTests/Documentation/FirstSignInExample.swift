// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinAsync
import Testing

/// The examples of the article on a first sign-in, as they stand there. scripts/sdk-package runs them as a program.
struct FirstSignInExample {
    let directory: String
    let server: String
    let invitation: String

    func run() async throws -> [String] {
        let shown = Shown()
        func print(_ text: String) { shown.texts.append(text) }

        let client = try await AsyncMPinClient(store: FileStore(directory: directory, create: true))
        try await client.setBackend(server)
        var alice = try await client.makeUser("alice@example.org", deviceName: "laptop")
        if let known = try await client.user(identity: "alice@example.org") { alice = known }
        if alice.state == .invalid {
            alice = try await client.startRegistration(alice.id, invitation: invitation)
        }
        if alice.state == .activated {
            try await client.confirmRegistration(alice.id)
            alice = try await client.finishRegistration(alice.id, pin: PIN(digits: [8, 0, 4, 7, 1, 3]))
        }

        if alice.state == .blocked {
            do {
                alice = try await client.liftBlock(of: alice.id, pin: PIN(digits: [8, 0, 4, 7, 1, 3]))
            } catch {
                print(explain(error, alice.state))
            }
        }

        print(try await signIn(alice, PIN(digits: [8, 0, 4, 7, 1, 3]), by: client))
        for _ in 1...3 {
            print(try await signIn(alice, PIN(digits: [1, 2, 3, 4, 5, 6]), by: client))
        }

        let attempt = Task { [id = alice.id] in
            let pin = try PIN(digits: [8, 0, 4, 7, 1, 3])
            let started = try await client.startAuthentication(id)
            try await client.finishAuthentication(started, pin: pin)
        }
        attempt.cancel()
        do {
            try await attempt.value
        } catch let error as MPinError where error.reason == .canceled {
            print(error.message)
        }
        return shown.texts
    }

    func signIn(_ user: UserInfo, _ pin: borrowing PIN, by client: AsyncMPinClient) async throws -> String {
        do throws(MPinError) {
            let started = try await client.startAuthentication(user.id)
            let result = try await client.finishAuthentication(started, pin: pin)
            return "Signed in as \(result.userID ?? "")."
        } catch {
            // Not after a cancellation, which ends this call, too.
            let state = (try? await client.user(user.id))?.state ?? user.state
            return explain(error, state)
        }
    }
}

func explain(_ error: MPinError, _ state: UserState) -> String {
    switch error.code {
    case .incorrectPIN where state == .blocked: "Blocked: ask the administrator, or register again."
    case .incorrectPIN: error.attemptsLeft.map { "Wrong PIN. Tries left: \($0)." } ?? error.message
    case _ where error.pinChecked == .maybe: error.message + " The PIN may have been checked."
    default: error.message
    }
}

@Test func explainsRefusals() {
    let wrong = MPinError(code: .incorrectPIN, attemptsLeft: 1, pinChecked: .yes)
    #expect(explain(wrong, .registered) == "Wrong PIN. Tries left: 1.")
    #expect(explain(wrong, .blocked) == "Blocked: ask the administrator, or register again.")
    let canceled = MPinError(code: .networkError, pinChecked: .maybe, reason: .canceled)
    #expect(explain(canceled, .registered) == "The call was canceled. The PIN may have been checked.")
}

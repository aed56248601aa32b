// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinAsync

/// The examples of the article on a first sign-in, as they stand there. scripts/sdk-package runs them as a program.
struct FirstSignInExample {
    let directory: String
    let server: String
    let invitation: String

    func run() async throws -> [String] {
        let client = try await AsyncMPinClient(store: FileStore(directory: directory, create: true))
        try await client.setBackend(server)
        let alice = try await client.makeUser("alice@example.org", deviceName: "laptop")
        try await client.startRegistration(alice.id, invitation: invitation)
        try await client.confirmRegistration(alice.id)
        try await client.finishRegistration(alice.id, pin: PIN(digits: [8, 0, 4, 7, 1, 3]))

        let shown = Shown()
        func print(_ text: String) { shown.texts.append(text) }

        print(try await signIn(alice, PIN(digits: [8, 0, 4, 7, 1, 3]), by: client))
        for _ in 1...3 {
            print(try await signIn(alice, PIN(digits: [1, 2, 3, 4, 5, 6]), by: client))
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

    func explain(_ error: MPinError, _ state: UserState) -> String {
        switch error.code {
        case .incorrectPIN where state == .blocked: "Blocked: register again."
        case .incorrectPIN: error.attemptsLeft.map { "Wrong PIN. Tries left: \($0)." } ?? error.message
        default: error.message
        }
    }

    func explainsRefusals() -> Bool {
        let wrong = MPinError(code: .incorrectPIN, attemptsLeft: 1, pinChecked: .yes)
        return explain(wrong, .registered) == "Wrong PIN. Tries left: 1."
            && explain(wrong, .blocked) == "Blocked: register again."
            && explain(MPinError(code: .networkError), .registered) == "The server cannot be reached."
    }
}

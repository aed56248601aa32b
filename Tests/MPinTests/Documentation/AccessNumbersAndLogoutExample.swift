// SPDX-License-Identifier: Apache-2.0
import MPin

/// The examples of the article on access numbers and logout, as they stand there.
struct AccessNumbersAndLogoutExample {
    let user: User
    let number: String
    /// What the person was shown.
    let shown = Shown()

    /// Signs in a browser and out again.
    func run(_ pin: borrowing PIN, by client: inout MPinClient) throws {
        do throws(MPinError) {
            try client.checkAccessNumber(number)
        } catch {
            show("Mistyped: check the number.")
            return
        }

        let session = try client.getSessionDetails(number)
        show("Sign in at " + session.appName)
        let started = try client.startAuthentication(user, accessCode: number)
        do throws(MPinError) {
            try client.finishAuthenticationAN(started, pin: pin, accessNumber: number, details: session)
        } catch {
            switch error.code {
            case .incorrectAccessNumber: show("The number is no longer valid.")
            case .requestExpired: show("The browser did not answer in time.")
            default: show(error.message)
            }
            return
        }

        if client.canLogout(user) {
            show(client.logout(user) ? "Signed out." : "Still signed in: try again.")
        }
    }

    /// Has a one-time password issued.
    func oneTimePassword(_ pin: borrowing PIN, by client: inout MPinClient) throws {
        let started = try client.startAuthentication(user)
        let password = try client.finishAuthenticationOTP(started, pin: pin)
        if password.status == .ok {
            show(password.otp + " for \(password.ttlSeconds) seconds")
        }
    }

    private func show(_ text: String) { shown.texts.append(text) }
}

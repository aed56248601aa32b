// SPDX-License-Identifier: Apache-2.0

/// A login to predict: the outcome of the PIN, and whether the password is right.
package struct LoginCase: Hashable, Sendable {
    /// The outcome of the PIN.
    package enum PINState: String, Sendable, CaseIterable {
        case right, wrong, unreachable, misconfigured, notEnrolled
    }

    package let pin: PINState
    package let isPasswordRight: Bool

    package init(_ pin: PINState, isPasswordRight: Bool) {
        self.pin = pin
        self.isPasswordRight = isPasswordRight
    }

    /// A user who knows neither PIN nor password.
    static let stranger = LoginCase(.wrong, isPasswordRight: false)

    package static var all: [LoginCase] {
        PINState.allCases.flatMap { [LoginCase($0, isPasswordRight: true), LoginCase($0, isPasswordRight: false)] }
    }
}

// SPDX-License-Identifier: Apache-2.0
import MPin

// An application has types of these names itself; the module's name in front of one means the SDK's.

struct User {
    let signedIn: MPin.User
}

struct OTP {
    let issued: MPin.OTP
}

struct Backend {
    let address: String
}

func isReady(_ user: User) -> Bool { user.signedIn.state == .registered }

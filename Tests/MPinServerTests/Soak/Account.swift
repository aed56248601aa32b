// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer

/// What a client of a soak knows about its registration, only from the server's answers.
///
/// A request that was not answered may have been done or not, so what is counted is known between two bounds.
struct Account {
    enum Standing { case good, blocked, revoked }

    let enrolled: ClientRegistration
    let permit: ClientRegistration.Permit
    /// The code it registered with, until that was tried once more after a login.
    var code: String?
    var standing = Standing.good
    /// Whether an unconfirmed revocation was sent.
    var mayBeRevoked = false
    /// Wrong PINs that must be counted, and that may be.
    var least = 0
    var most = 0
    /// Logins that are over, with the handles of their results: useless from then on.
    var used: [(login: Login, handle: Answer)] = []

    var user: String { enrolled.user }

    mutating func use(_ login: Login, _ handle: Answer) { used = used.suffix(3) + [(login, handle)] }

    mutating func know(_ failures: Int) {
        least = failures
        most = failures
    }
}

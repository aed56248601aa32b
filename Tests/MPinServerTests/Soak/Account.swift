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
    /// The epoch in which it last logged in, and what may be counted if that is not settled: a kill soon after a login
    /// leaves the wrong PINs before it as they were, and counts the login itself as another one.
    var lastLogin: (epoch: Int, unsettled: Int)?
    /// Logins that are over, with the handles of their results: useless from then on.
    var used: [(login: Login, handle: Answer)] = []

    var user: String { enrolled.user }

    mutating func use(_ login: Login, _ handle: Answer) { used = used.suffix(3) + [(login, handle)] }

    /// Allows for what a kill since then may have counted.
    mutating func meet(_ record: SoakRecord) {
        guard let lastLogin, !record.isCalm(since: lastLogin.epoch) else { return }
        self.lastLogin = nil
        most = min(SoakClient.limit, max(most + 1, lastLogin.unsettled))
    }

    mutating func know(_ failures: Int) {
        least = failures
        most = failures
    }
}

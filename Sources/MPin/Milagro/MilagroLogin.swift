// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinCrypto
internal import MPinWire

/// A login with the protocol of 2016: time permit, pass 1, pass 2 and the final call.
///
/// It is a class because one start may be followed by several logins, which share the permit.
final class MilagroLogin {
    let user: User
    let server: Server
    /// The data of the registration's last login: settings, and the second permit share.
    let cache: CachedLogin
    /// The permit, if the server uses permits.
    var permit: TimePermit?
    /// When it started, in seconds since 1970 by this machine's clock.
    var startedAt = mpin_wall_seconds()

    init(_ user: User, _ server: Server, _ cache: CachedLogin) {
        (self.user, self.server, self.cache) = (user, server, cache)
    }

    /// Whether the permit is of a day that servers no longer accept. Servers accept it until the first hour of the next
    /// day (UTC) is over.
    ///
    /// A login with it would count as a wrong PIN. This machine's clock is compared with itself, so it need not agree
    /// with the server's.
    var hasLapsed: Bool {
        let day: Int64 = 86_400
        return permit != nil && (mpin_wall_seconds() - 3600) / day > startedAt / day
    }

    /// Logs in. A permit of another day is renewed once.
    ///
    /// - Parameter user: the user of this login, or a copy of the registration whose new token has to prove itself.
    func prove(
        as user: User, pin: borrowing PIN, _ final: FinalCall, in store: AccountStore, until deadline: Deadline
    ) throws(MPinError) -> AcceptedLogin {
        guard !hasLapsed else {
            throw MPinError(.flowError, "The day has changed since this login began: start the login again.")
        }
        do throws(MPinError) { return try proveOnce(as: user, pin: pin, final, in: store, deadline) } catch {
            guard renewPermit(after: error, in: store, deadline) else { throw error }
            return try proveOnce(as: user, pin: pin, final, in: store, deadline)
        }
    }

    /// Runs pass 1, pass 2 and the final call.
    ///
    /// Servers that do not name a pass 1 keep one per registration, so the earlier of two concurrent logins would count
    /// as a wrong PIN. Only with such servers, the logins of an account take turns, for at most a second: a stopped
    /// process must not block other logins.
    @inline(never)
    private func proveOnce(
        as user: User, pin: borrowing PIN, _ final: FinalCall, in store: AccountStore, _ deadline: Deadline
    ) throws(MPinError) -> AcceptedLogin {
        let url = try server.finalURL(final, until: deadline)
        let turn = server.settings.offers(.passID) ? nil : store.turn(until: deadline)
        return try withExtendedLifetime(turn) { () throws(MPinError) in
            let passTwo = try runPasses(as: user, pin: pin, final, deadline)
            let answer = try server.transport.request(
                .authenticate, url, body: AuthenticateRequest(authOTT: passTwo.authOTT).encode(), until: deadline,
                AuthenticateResponse.init)
            guard !answer.isEmpty else {
                throw MPinError(
                    .responseParseError, "The server's last answer was empty.",
                    pinChecked: Endpoint.authenticate.pinChecked(.unreadable))
            }
            // Servers of 2016 need not name the identity.
            if let userID = answer.userID, userID != user.record.identity { throw AcceptedLogin.mismatch }
            return AcceptedLogin(answer: answer, otp: passTwo.otp)
        }
    }

    /// Caches settings of a day for later logins, unless they are already cached.
    @inline(never)
    func keepSettings(of day: Int, _ deadline: Deadline) throws(MPinError) {
        try server.update(for: day, until: deadline)
        user.offersDeviceKey = server.settings.offersDeviceKey
        guard let day = server.settingsDay, server.hasFreshSettings || cache.record.settingsDay != day else { return }
        cache.change { ($0.settings, $0.settingsDay) = (server.settings, day) }
    }

    /// Marks settings that may have made a login fail after its PIN was sent. That login is not repeated, but the next
    /// one reads the settings again.
    func doubtSettings(after error: MPinError) {
        guard error.pinChecked != .no, server.doubtSettings(after: error) else { return }
        cache.change { ($0.settings, $0.settingsDay) = (nil, nil) }
    }
}

struct TimePermit: ~Copyable {
    let point: SecretBytes
    let day: PermitDay
}

extension MilagroLogin {
    /// Runs pass 1 and pass 2 and returns the login handle, which does not reveal whether the PIN was right.
    ///
    /// Neither pass is sent twice, with one exception: a server that answers pass 2 with 500 has judged nothing, so one
    /// new pass 1 may follow.
    func runPasses(
        as user: User, pin: borrowing PIN, _ final: FinalCall, _ deadline: Deadline
    ) throws(MPinError) -> PassTwoResponse {
        do throws(MPinError) {
            return try runPassesOnce(as: user, pin: pin, final, deadline, isFirst: true)
        } catch {
            guard error.httpStatus == 500, error.pinChecked == .no else { throw error }
        }
        return try runPassesOnce(as: user, pin: pin, final, deadline, isFirst: false)
    }

    @inline(never)
    private func runPassesOnce(
        as user: User, pin: borrowing PIN, _ final: FinalCall, _ deadline: Deadline, isFirst: Bool
    ) throws(MPinError) -> PassTwoResponse {
        let session = try user.session(pin: pin, permit)
        let mpinID = try user.requireMPinID()

        let first = PassOneRequest(mpinID: mpinID, u: session.u, ut: session.ut)
        let challenge = try server.passOne(first, mayRepeat: isFirst, until: deadline)
        if server.settingsDay == nil, let day = permit?.day.number { try keepSettings(of: day, deadline) }

        let v: [UInt8]
        do throws(CryptoError) { v = try session.answer(challenge: challenge.y) } catch { throw MPinError(error) }
        let second = PassTwoRequest(
            mpinID: mpinID, v: v, session: final.session, wantsOTP: final.wantsOTP, passID: challenge.passID)
        return try server.passTwo(second, until: deadline)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

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

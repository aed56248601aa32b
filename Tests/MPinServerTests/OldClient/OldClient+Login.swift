// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto

extension OldClient {
    func startAuthentication(accessCode: String? = nil) throws -> OldStatus {
        guard state == .registered else { return .flowError }
        if let accessCode, !path("codeStatusURL").isEmpty {
            _ = try send(
                "POST", path("codeStatusURL"),
                .object([("status", .text("user")), ("wid", .text(accessCode)), ("userId", .text(identity))]))
        }
        let first = try get("\(path("timePermitsURL"))/\(mpinID)")
        guard first.status == 200 else { return first.status == 410 ? .revoked : .generic(first.status) }
        let day = first.object["date"] as? Int ?? 0
        let storageID = first.string("storageId")
        if cachedPermit?.day != day {
            let appID = settings["appID"] as? String ?? ""
            // The client never understands the store's answer.
            _ = try get("\(path("timePermitsStorageURL"))/\(appID)/\(day)/\(storageID)")
            let second = try get(
                "\(path("certivoxURL"))timePermit?hash_mpin_id=\(storageID)&app_id=\(appID)&mobile=1"
                    + "&signature=\(first.string("signature"))")
            guard second.status == 200 else { return second.status == 410 ? .revoked : .generic(second.status) }
            cachedPermit = (day, unhex(second.string("timePermit")))
        }
        let whole = try Shares.recombine(
            secret(unhex(first.string("timePermit"))), secret(cachedPermit?.share ?? []))
        permit = (day, plain(whole))
        return .ok
    }

    func authenticate(pin: String) throws -> OldStatus {
        try finish(pin: pin, number: dialect.noNumber, otp: dialect.noPassword, at: path("authenticateURL")).status
    }

    /// A login that asks for a one-time password, which is none without its times.
    func authenticateOTP(pin: String) throws -> (status: OldStatus, otp: String) {
        let (status, second, final) = try finish(
            pin: pin, number: dialect.noNumber, otp: dialect.password, at: path("authenticateURL"))
        let times = ["expireTime", "ttlSeconds", "nowTime"].map { final.object[$0] as? Int ?? 0 }
        return (status, times.allSatisfy { $0 > 0 } ? second.string("OTP") : "")
    }

    func authenticate(pin: String, number: String) throws -> OldStatus {
        let (status, _, final) = try finish(
            pin: pin, number: number, otp: dialect.noPassword, at: path("mobileAuthenticateURL"))
        logoutAt = nil
        if status == .ok, let data = final.object["logoutData"] { logoutAt = (final.string("logoutURL"), data) }
        return status
    }

    var canLogout: Bool { logoutAt?.url.isEmpty == false }

    /// The client puts the address of the server before any URL.
    func logout() throws -> Bool {
        guard let logoutAt, canLogout else { return false }
        let isDone = try send("POST", logoutAt.url, OldJSON(logoutAt.data)).status == 200
        if isDone { self.logoutAt = nil }
        return isDone
    }

    func sessionDetails(_ code: String) throws -> (status: OldStatus, name: String, logo: String, preroll: String) {
        let answer = try send(
            "POST", path("codeStatusURL"), .object([("status", .text("wid")), ("wid", .text(code))]))
        return (
            .generic(answer.status), answer.string("appName"), answer.string("appLogoURL"), answer.string("prerollId")
        )
    }

    private func finish(
        pin: String, number: String?, otp: OldJSON, at url: String
    ) throws -> (status: OldStatus, second: Answer, final: Answer) {
        let none = Answer(status: 0, body: [])
        guard state == .registered, let permit, let day = PermitDay(permit.day) else { return (.flowError, none, none) }
        let session = try ClientSession(
            identity: Identity(mpinID: unhex(mpinID)), token: secret(token), factor: oldFactor(pin),
            permit: secret(permit.point), day: day)
        let base = path("mpinAuthServerURL")
        let first = try send(
            "POST", "\(base)/pass1",
            .object([
                ("pass", .number(1)), ("mpin_id", .text(mpinID)), ("UT", .text(hex(session.ut ?? []))),
                ("U", .text(hex(session.u))),
            ]))
        guard first.status == 200 else { return (.generic(first.status), none, none) }
        let v = try session.answer(challenge: unhex(first.string("y")))
        var members: [(String, OldJSON)] = [("pass", .number(2)), ("OTP", otp)]
        if let number { members.append(("WID", .text(number))) }
        members += [("V", .text(hex(v))), ("mpin_id", .text(mpinID))]
        let second = try send("POST", "\(base)/pass2", .object(members))
        guard second.status == 200 else { return (.generic(second.status), second, none) }
        // All that pass 2 answered goes back, the one-time password included.
        let final = try send("POST", url, .object([("mpinResponse", OldJSON(second.object))]))
        return (judge(final.status), second, final)
    }

    private func judge(_ status: Int) -> OldStatus {
        switch status {
        case 401: return .incorrectPIN
        case 403: return .notAuthorized
        case 408: return .requestExpired
        case 410:
            state = .blocked
            token = []
            return .incorrectPIN
        case 412: return .incorrectAccessNumber
        default: return .generic(status)
        }
    }
}

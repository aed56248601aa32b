// SPDX-License-Identifier: Apache-2.0
import Console
import FoundationEssentials
import MPin

extension TargetAccount {
    /// Logs in to check the PIN; no session is opened.
    func logIn(
        _ client: inout MPinClient, as user: User, pin: borrowing PIN
    ) throws(CommandFailure) {
        do throws(MPinError) {
            if client.backend == nil { try client.selectBackend(user.backend) }
            let pending = try client.startAuthentication(user)
            _ = try client.finishAuthentication(pending, pin: pin)
        } catch { throw failure(error, of: user) }
    }

    /// The warning about wrong PINs before this login, which an attacker may have typed.
    static func warnings(_ user: User) -> [String] {
        guard let count = user.wrongSinceLastLogin, count > 0 else { return [] }
        let pins = count == 1 ? "1 wrong PIN" : "\(count) wrong PINs"
        return [
            "\(pins) since your last login. If you did not type \(count == 1 ? "it" : "them"), ask the administrator. "
                + "At the server, 'sudo -u mpin mpin-server audit' shows when and where."
        ]
    }

    /// The place of a new registration's key, if it is in the TPM or could not be.
    static func keyNotice(_ user: User) -> [String] {
        if user.keyPlace == .tpm { return ["The device key is in the TPM of this machine."] }
        guard let fault = user.tpmFault else { return [] }
        return ["The device key is in a file, not in the TPM. \(TPMFault(fault)?.sentence ?? fault.message)"]
    }

    /// Checks with the server whether a revoked registration is still revoked, before the user types a PIN.
    func checkRevocation(_ client: inout MPinClient, of user: User) throws(CommandFailure) {
        guard user.lastRefusal != nil else { return }
        do throws(MPinError) {
            if client.backend == nil { try client.selectBackend(user.backend) }
            _ = try client.startAuthentication(user)
        } catch { throw CommandFailure(error, of: user) }
    }

    /// The prompt for the PIN.
    func prompt(for user: User) -> String {
        guard let left = user.attemptsLeft else { return "PIN for \(user.identity): " }
        return "PIN for \(user.identity) (\(left) \(left == 1 ? "try" : "tries") left): "
    }

    /// A time in ISO 8601.
    static func text(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }

    /// The members of a report that describe a registration.
    func description(of user: User) -> [String: Report.Value] {
        var members: [String: Report.Value] = [
            "account": .text(account), "identity": .text(user.identity), "server": .text(user.backend),
            "state": .text(user.state.name.text), "key": .text(user.keyPlace.name.text),
        ]
        members.merge(TargetAccount.serverKeyMembers(of: user)) { $1 }
        if !user.deviceName.isEmpty { members["device"] = .text(user.deviceName) }
        if let length = user.pinLength { members["pinLength"] = .number(length) }
        if let left = user.attemptsLeft { members["attemptsLeft"] = .number(left) }
        if let wrong = user.wrongSinceLastLogin { members["wrongSinceLastLogin"] = .number(wrong) }
        if let refusal = user.lastRefusal { members["condition"] = .text(refusal.name.text) }
        if let reason = user.refusalReason { members["reason"] = .text(reason) }
        if let count = user.notes.backupCodes { members["backupCodes"] = .number(count) }
        if !user.notes.replaced.isEmpty { members["unrevoked"] = .number(user.notes.replaced.count) }
        if let time = user.refusalTime { members["lastContact"] = .text(TargetAccount.text(time)) }
        return members
    }
}

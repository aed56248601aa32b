// SPDX-License-Identifier: Apache-2.0
import Console
import FoundationEssentials
import MPin
import MPinAgent
import MPinWire
import SystemFiles

// Actions of the account's owner, and what is shown of a registration.
extension TargetAccount {
    /// Performs an action, or has the agent perform it if this process may not read the store.
    func perform(
        _ action: AccountAction, _ common: CommonOptions, _ dialog: PINDialog = PINDialog()
    ) throws(CommandFailure) -> ActionFields {
        do throws(ActionFailure) { return try AccountActions(records, for: dialog).perform(action) } catch {
            if case .notPermitted? = error.storeError, let agent = AgentCall(self, common) {
                return try agent.perform(action, self, dialog)
            }
            throw dialog.completed(CommandFailure(error, for: self))
        }
    }

    /// Logs in for a purpose of `OwnerPurpose`.
    func logIn(
        _ purpose: String, _ argument: String, _ common: CommonOptions, _ dialog: PINDialog
    ) throws(CommandFailure) -> LoginAnswer {
        try LoginAnswer(perform(AccountAction(.logIn, purpose, argument), common, dialog))
    }

    /// The warning about wrong PINs before this login, which an attacker may have typed.
    static func warnings(_ user: RegistrationSummary) -> [String] { warnings(user.wrongSinceLastLogin) }

    static func warnings(_ wrong: Int?) -> [String] {
        guard let count = wrong, count > 0 else { return [] }
        let pins = count == 1 ? "1 wrong PIN" : "\(count) wrong PINs"
        return [
            "\(pins) since your last login. If you did not type \(count == 1 ? "it" : "them"), ask the administrator. "
                + "At the server, 'sudo mpin-server audit' shows when and where."
        ]
    }

    /// The lines about a replaced registration at a server that cannot revoke. They are shown once.
    static func irrevocable(_ user: RegistrationSummary) -> [String] {
        let others = user.issued.map { "issued before \($0) UTC" } ?? "except the newest"
        return [
            "\(user.backend) cannot revoke the replaced enrollment, which remains valid there.",
            "If another person may have the old token, ask the administrator to block it: the permit hook "
                + "(RPAPermitUserURL) can refuse all M-Pin IDs of \(user.identity) \(others).",
        ]
    }

    /// The lines about replaced registrations that the server has not revoked, with the commands for its administrator.
    static func unrevoked(_ user: RegistrationSummary) -> [String] {
        let identity = CommonOptions.quoted(user.identity)
        return user.replacedDevices.flatMap { device in
            let what = device.map { "the replaced device \($0)" } ?? "the replaced enrollment"
            let revoke = "sudo mpin-server user revoke \(identity) --device "
            return ["\(user.backend) has not revoked \(what). 'mpin-enroll test' tries again."]
                + (device.map { ["The server's administrator can revoke it: \(revoke)\($0)"] } ?? [
                    "The server's administrator can find it: sudo mpin-server user show \(identity)",
                    "Then revoke it: \(revoke)NUMBER",
                ])
        }
    }

    /// The place of a new registration's key, if it is in the TPM or could not be.
    static func keyNotice(_ user: RegistrationSummary) -> [String] {
        if user.keyPlace == .tpm { return ["The device key is in the TPM of this machine."] }
        guard let fault = user.tpmFault else { return [] }
        return ["The device key is in a file, not in the TPM. \(TPMFault(fault)?.sentence ?? fault.message)"]
    }

    /// A time in ISO 8601.
    static func text(_ seconds: Int) -> String { Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601) }

    /// The members of a report that describe a registration.
    func description(of user: RegistrationSummary) -> [String: Report.Value] {
        var members: [String: Report.Value] = [
            "account": .text(account), "identity": .text(user.identity), "server": .text(user.backend),
            "state": .text(user.state.name.text), "key": .text(user.keyPlace.name.text.string),
        ]
        members.merge(TargetAccount.serverKeyMembers(of: user)) { $1 }
        if !user.deviceName.isEmpty { members["device"] = .text(user.deviceName) }
        if let length = user.pinLength { members["pinLength"] = .number(length) }
        if let left = user.attemptsLeft { members["attemptsLeft"] = .number(left) }
        if let wrong = user.wrongSinceLastLogin { members["wrongSinceLastLogin"] = .number(wrong) }
        if let refusal = user.lastRefusal { members["condition"] = .text(refusal.name.text) }
        if let reason = user.refusalReason { members["reason"] = .text(reason) }
        if let count = user.backupCodes { members["backupCodes"] = .number(count) }
        if !user.replacedDevices.isEmpty { members["unrevoked"] = .number(user.replacedDevices.count) }
        if let time = user.refusalTime { members["lastContact"] = .text(TargetAccount.text(time)) }
        return members
    }
}

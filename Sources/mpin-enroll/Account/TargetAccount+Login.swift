// SPDX-License-Identifier: Apache-2.0
import Console
import FoundationEssentials
import MPin
import MPinAgent
import MPinCrypto
import MPinWire
import SystemFiles

// Actions of the account's owner, and what is shown of a registration.
extension TargetAccount {
    /// Performs an action, or has the agent perform it if this process may not read the store.
    func perform(
        _ action: AccountAction, _ common: CommonOptions, _ dialog: PINDialog = PINDialog()
    ) throws(CommandFailure) -> ActionFields {
        if server == nil { ProgressNotice.name(knownServer ?? "the server") }
        do throws(ActionFailure) { return try AccountActions(records, for: dialog).perform(action) } catch {
            if case .notPermitted? = error.storeError, let agent = AgentCall(self, common) {
                return try agent.perform(action, self, dialog)
            }
            throw dialog.completed(CommandFailure(error, for: self))
        }
    }

    /// The server of the account's first registration; nil if this process may not read the store.
    private var knownServer: String? {
        do throws(ActionFailure) { return try records.open().allUsers.first?.backend } catch { return nil }
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

    func description(of user: RegistrationSummary) -> Members {
        var members = TargetAccount.serverKeyMembers(of: user).merging([
            "account": account, "identity": user.identity, "server": user.backend,
            "state": user.state.name, "key": user.keyPlace.name.text.string,
        ])
        if !user.deviceName.isEmpty { members["device"] = user.deviceName }
        members["pinLength"] = user.pinLength
        members["attemptsLeft"] = user.attemptsLeft
        members["wrongSinceLastLogin"] = user.wrongSinceLastLogin
        if let refusal = user.lastRefusal { members["condition"] = refusal.name }
        members["reason"] = user.refusalReason
        members["backupCodes"] = user.backupCodes
        if !user.replacedDevices.isEmpty { members["unrevoked"] = user.replacedDevices.count }
        if let time = user.refusalTime { members["lastContact"] = TargetAccount.text(time) }
        return members
    }
}

// The key of a registration's server, as reports show it.
extension TargetAccount {
    /// The members of a report; empty for a registration that belongs to no key.
    static func serverKeyMembers(of user: RegistrationSummary) -> Members {
        guard let key = user.serverKey, let source = user.serverKeySource else { return [:] }
        return ["serverKey": key, "serverKeySource": source.name.text.string]
    }

    /// The lines of a report, with their names in the first column.
    static func serverKeyLines(of user: RegistrationSummary) -> [String] {
        guard let key = user.serverKey, let source = user.serverKeySource else { return ["serverkey none"] }
        return ["serverkey \(KeyFingerprint.short(key)), \(sentence(source, user.backend))"]
    }

    /// The lines of `server show`, with the whole fingerprint, which fits on a line of its own.
    static func wholeKeyLines(of user: RegistrationSummary) -> [String] {
        guard let key = user.serverKey, let source = user.serverKeySource else { return ["serverkey none"] }
        return ["serverkey \(key)", "          \(sentence(source, user.backend))"]
    }

    private static func sentence(_ source: ServerKeySource, _ server: String) -> String {
        switch source {
        case .invitation: "proven by the code of the enrollment"
        case .fingerprint: "confirmed by its fingerprint"
        case .tls where server.hasPrefix("unix:"): "from the owner of the server's socket"
        case .tls: "from TLS alone"
        }
    }

    /// The lines about the server's key after an enrollment.
    static func serverKeyNotice(_ user: RegistrationSummary) -> [String] {
        guard let key = user.serverKey, let source = user.serverKeySource else {
            return user.backend.hasPrefix("unix:")
                ? []
                : ["This server proves no key: its certificate alone decides which server this enrollment believes."]
        }
        var lines = ["The server's key, \(sentence(source, user.backend)): \(KeyFingerprint.short(key))"]
        if source == .tls, !user.backend.hasPrefix("unix:") {
            lines.append("Only the certificate vouched for it. Compare the whole fingerprints.")
            lines.append("Here: mpin-enroll server show")
            lines.append("On the server: sudo mpin-server fingerprint")
        }
        return lines
    }
}

// SPDX-License-Identifier: Apache-2.0
import Console
import Foundation
import MPinServer

struct RecoveryKeyText {
    private let text: String
    private let name: String

    init?(_ recovery: RecoveryKey?) {
        guard let recovery else { return nil }
        (text, name) = (recovery.text, recovery.identifier)
    }

    /// The recovery key in the answer of a command.
    init?(_ answer: AccountProgram.Answer) {
        guard let text = answer.text("recoveryKey"), let name = answer.text("recoveryKeyName") else { return nil }
        (self.text, self.name) = (text, name)
    }

    var lines: [String] {
        [
            "", "Recovery key \(name) (not stored in any file):", "",
        ] + keyLines + [
            "",
            "Write it down with its name. Keep it away from this machine and from the backups.",
            "The sealing key works only with this machine's TPM. If the TPM is lost or cleared, only the recovery key",
            "opens the database and its backups.",
            "Anyone with the recovery key and the database can make a token for any user.",
        ]
    }

    /// The key on one line, or on two in a narrow terminal. Commands accept both forms.
    private var keyLines: [String] {
        let groups = text.split(separator: "-")
        let parts = Display.output.columns < text.count + 4 ? [groups.prefix(7), groups.dropFirst(7)] : [groups[...]]
        return parts.map { "    " + $0.joined(separator: "-") }
    }

    /// The text output for a key that is not in use yet.
    var linesBefore: [String] {
        (lines + ["The key takes effect when this command succeeds. Until then, nothing changes.", ""])
            .map { $0.wrapped(Display.output.columns) }
    }

    /// The warning that the recovery key was not shown.
    static func unshown(_ name: String, command: String) -> String {
        "the recovery key \(name) of this server has not been shown\n"
            + "If the TPM is cleared or lost, only this key opens the database.\n"
            + "Stop the server, then show the key: \(command)"
    }

    var members: Members { ["recoveryKey": text, "recoveryKeyName": name] }
}

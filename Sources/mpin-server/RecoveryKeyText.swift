import Foundation
import MPinServer

/// How a recovery key is shown.
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

    /// For people.
    var lines: [String] {
        [
            "", "The recovery key \(name), which stands in no file:", "",
        ] + keyLines + [
            "",
            "Write it down, with its name, and keep it away from this machine and from the backups. When what the key is",
            "sealed to is cleared or gone, nothing else opens the database or a backup of it; and whoever has it and the",
            "database can make a token for anybody.",
        ]
    }

    /// Two lines where one does not fit; it may be typed in like that.
    private var keyLines: [String] {
        let groups = text.split(separator: "-")
        let parts = Output.columns < text.count + 4 ? [groups.prefix(7), groups.dropFirst(7)] : [groups[...]]
        return parts.map { "    " + $0.joined(separator: "-") }
    }

    /// For people, of a key that is not in force yet.
    var linesBefore: [String] {
        (lines + ["It holds once this command has succeeded. Until then nothing has changed.", ""])
            .map { $0.wrapped(Output.columns) }
    }

    /// What is said where nobody has been shown the key.
    ///
    /// - Parameter command: what shows it.
    static func unshown(_ name: String, command: String) -> String {
        "The recovery key \(name) of this server has not been shown: the command that made it was cut off. When the TPM is "
            + "cleared or gone, nothing else opens the database.\nTo have it shown, stop the server and run: \(command)"
    }

    /// For programs.
    var members: [String: Any] { ["recoveryKey": text, "recoveryKeyName": name] }
}

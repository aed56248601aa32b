import MPinServer

/// How a recovery key is shown, once.
struct RecoveryKeyText {
    private let recovery: RecoveryKey

    init?(_ recovery: RecoveryKey?) {
        guard let recovery else { return nil }
        self.recovery = recovery
    }

    /// For people.
    var lines: [String] {
        [
            "", "The recovery key \(recovery.identifier), which is shown this once:", "", "    " + recovery.text, "",
            "Write it down, with its name, and keep it away from this machine and from the backups. When this TPM is",
            "cleared or gone, nothing else opens the database or a backup of it; and whoever has it and the database can",
            "make a token for anybody.",
        ]
    }

    /// For programs.
    var members: [String: Any] { ["recoveryKey": recovery.text, "recoveryKeyName": recovery.identifier] }
}

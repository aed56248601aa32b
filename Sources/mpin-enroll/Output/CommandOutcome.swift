/// The result of a command that succeeded.
struct CommandOutcome {
    let report: Report
    var exitStatus = ExitStatus.done
    /// Whether the report is what was asked for, which ``CommonOptions/quiet`` leaves, and not that something was done.
    var isAnswer = false
    /// Called after the report was printed as text.
    var epilogue: (() -> Void)?
}

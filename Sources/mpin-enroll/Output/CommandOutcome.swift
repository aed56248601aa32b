/// The result of a command that succeeded.
struct CommandOutcome {
    let report: Report
    var exitStatus = ExitStatus.done
    /// Called after the report was printed as text.
    var epilogue: (() -> Void)?
}

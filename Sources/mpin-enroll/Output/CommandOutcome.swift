/// The report of a command that did its work, and how it exits.
struct CommandOutcome {
    let report: Report
    var exitStatus = ExitStatus.done
    /// What is shown to a person after the report.
    var epilogue: (() -> Void)?
}

// SPDX-License-Identifier: Apache-2.0
import Console

/// The result of a command that succeeded.
struct CommandOutcome {
    let report: Report
    var exitStatus = ExitStatus.done
    /// Whether the report is the requested answer, which ``CommonOptions/quiet`` does not suppress.
    var isAnswer = false
    /// The work after the report was printed as text.
    var epilogue: (() -> Void)?
}

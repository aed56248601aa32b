// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console

/// A command whose result is printed as text or as JSON.
protocol EnrollCommand: ReportingCommand {
    var common: CommonOptions { get }
    func work() throws(CommandFailure) -> Report
}

/// A command whose actions mpin-agent performs for users who may not read the store, each for their own account.
protocol AgentCommand: EnrollCommand {}

extension EnrollCommand {
    var output: CommonOptions { common }

    func run() throws {
        ProgressNotice.begin(common)
        let report: Report
        do throws(CommandFailure) { report = try work() } catch { throw error.completed(common) }
        try report.print(common)
        guard report.exitStatus == .done else { MPinEnroll.exit(report.exitStatus) }
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console

/// A command whose result is printed as text or as JSON.
protocol EnrollCommand: ParsableCommand {
    var common: CommonOptions { get }
    func work() throws(CommandFailure) -> CommandOutcome

    /// Has mpin-agent do the work, for a process that cannot read the store.
    ///
    /// - Returns: the exit status; `nil` if there is no agent.
    func relay() throws(CommandFailure) -> Int32?
}

extension EnrollCommand {
    func run() throws {
        ProgressNotice.begin(common)
        let outcome: CommandOutcome
        do throws(CommandFailure) { outcome = try work() } catch {
            let status = end(error)
            guard status != ExitStatus.done.rawValue else { return }
            throw ExitCode(status)
        }
        do throws(CommandFailure) { try outcome.report.print(common, isAnswer: outcome.isAnswer) } catch {
            Terminal.say("mpin-enroll: " + error.message)
            throw ExitCode(error.exitStatus.rawValue)
        }
        if !common.json, let epilogue = outcome.epilogue {
            ProgressNotice.endQuietly()
            epilogue()
        }
        guard outcome.exitStatus == .done else { throw ExitCode(outcome.exitStatus.rawValue) }
    }

    func relay() throws(CommandFailure) -> Int32? { nil }

    /// Has mpin-agent do the work that failed here, or reports the failure.
    ///
    /// - Returns: the exit status.
    private func end(_ failure: CommandFailure) -> Int32 {
        do throws(CommandFailure) {
            if case .closedStore = failure.circumstance, let status = try relay() { return status }
            return report(failure)
        } catch {
            return report(error)
        }
    }

    private func report(_ failure: CommandFailure) -> Int32 {
        let failure = failure.completed(common)
        Report.print(failure, common)
        return failure.exitStatus.rawValue
    }
}

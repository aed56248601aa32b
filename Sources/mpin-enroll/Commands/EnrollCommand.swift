// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console

/// A command whose result is printed as text or as JSON.
protocol EnrollCommand: ParsableCommand {
    var common: CommonOptions { get }
    func work() throws(CommandFailure) -> CommandOutcome
}

/// A command whose actions mpin-agent performs for users who may not read the store, each for their own account.
protocol AgentCommand: EnrollCommand {}

extension EnrollCommand {
    func run() throws {
        ProgressNotice.begin(common)
        let outcome: CommandOutcome
        do throws(CommandFailure) { outcome = try work() } catch {
            let failure = error.completed(common)
            Report.print(failure, common)
            throw ExitCode(failure.exitStatus.rawValue)
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
}

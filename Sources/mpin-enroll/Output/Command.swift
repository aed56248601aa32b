import ArgumentParser

/// A command that ends in a report or a failure, in the form that its options ask for.
protocol Command: ParsableCommand {
    var common: CommonOptions { get }
    func work() throws(CommandFailure) -> Outcome
}

/// The report of a command that did its work, and how it exits.
struct Outcome {
    let report: Report
    var exitStatus = ExitStatus.done
    /// What is shown to a person after the report.
    var epilogue: (() -> Void)?
}

extension Command {
    func run() throws {
        Patience.begin(common)
        let outcome: Outcome
        do throws(CommandFailure) { outcome = try work() } catch {
            let failure = error.completed(common)
            Report.print(failure, common)
            throw ExitCode(failure.exitStatus.rawValue)
        }
        do throws(CommandFailure) { try outcome.report.print(common) } catch {
            Terminal.say("mpin-enroll: " + visible(error.message))
            throw ExitCode(error.exitStatus.rawValue)
        }
        if !common.json, let epilogue = outcome.epilogue {
            Patience.endQuietly()
            epilogue()
        }
        guard outcome.exitStatus == .done else { throw ExitCode(outcome.exitStatus.rawValue) }
    }
}

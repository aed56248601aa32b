// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPin

/// `next`, the default command: registers an account that is not enrolled, and reports the state of one that is.
struct NextCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Enroll this account, or show its status.")

    @OptionGroup(title: HelpText.common) var common: CommonOptions

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        let status = AccountStatus(target: target, columns: common.display(STDOUT_FILENO).columns)
        // A file that cannot be read is no obstacle: registering sets it aside.
        let user: User?
        do throws(CommandFailure) { user = try status.user() } catch  where error.exitStatus == .storage {
            user = nil
        }
        if let user, user.state == .registered || user.state == .blocked { return try status.report(check: false) }
        let chosen = user.map { target.of($0) } ?? target
        var pin = PINSource(file: nil, mayAsk: common.mayAsk)
        pin.whenNeeded = Advice(
            "Put it in a file, and the code too if the server requires one", "register --pin-file FILE --code-file FILE"
        )
        return try RegisterCommand.enroll(chosen, code: CodeSource(mayAsk: common.mayAsk), pin: pin)
    }
}

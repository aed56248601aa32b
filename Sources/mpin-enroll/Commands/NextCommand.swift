// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPin
import MPinAgent

/// `next`, the default command: registers an account that is not enrolled, and reports the state of one that is.
struct NextCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Enroll this account, or show its status.", shouldDisplay: false)

    /// A word that is no command: the parser takes it for an argument of this one.
    @Argument(help: .private) var unknown: [String] = []
    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
        // The word may be a PIN, so it is not repeated.
        guard unknown.isEmpty else {
            throw CommandFailure(
                .usage, "USAGE", "There is no such command.", advice: Advice("See: mpin-enroll --help"))
        }
        let target = try TargetAccount(common)
        // A file that cannot be read is no obstacle: registering sets it aside.
        var status: AccountStatus?
        do throws(CommandFailure) { status = try AccountStatus(target, common) } catch
            where error.exitStatus == .storage
        {}
        if let status, [.registered, .blocked].contains(status.user?.state) { return status.report(check: false) }
        var pin = PINSource(file: nil, mayAsk: common.mayAsk)
        pin.whenNeeded = Advice(
            "Put it in a file, and the code too if the server requires one", "register --pin-file FILE --code-file FILE"
        )
        return try RegisterCommand.enroll(
            status?.user.map { target.of($0) } ?? target, common, code: CodeSource(mayAsk: common.mayAsk), pin: pin)
    }
}

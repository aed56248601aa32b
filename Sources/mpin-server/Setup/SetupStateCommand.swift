import ArgumentParser
import MPinServer

/// What `setup` asks about the directory of the installed server. It runs as the account of the server: what is in there
/// may be anything once that account is broken into, and is not for root to read.
struct SetupStateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup-state", abstract: "Answer setup about the server's directory.", shouldDisplay: false)

    @Flag(help: "Add the recovery key of a key that is in a file.") var recovery = false
    @Flag(help: "Note that somebody has seen the recovery key.") var shown = false
    @Flag(help: "Print exactly one JSON object.") var json = false

    func run() throws {
        let directory = ServerDirectory(CommandLineText.standardDirectory)
        if shown { directory.recoveryKeyWasShown() }
        var members: [String: Any] = ["isInitialized": directory.isInitialized]
        members["role"] = directory.role?.rawValue
        members["seal"] = directory.keyPlace?.rawValue
        members["unshown"] = directory.unshownRecoveryKey
        members["answers"] = ServerProbe(path: SetupCommand.socket).isAnswered()
        if recovery, let text = RecoveryKeyText(try directory.recoveryKey()) { members.merge(text.members) { $1 } }
        Output(json: true).succeed("", members)
    }
}

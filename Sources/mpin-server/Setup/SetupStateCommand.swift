// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage

/// Answers what `setup` asks about the directory of the installed server. Runs as the server's account, because root
/// must not read files that an attacker may control through that account.
struct SetupStateCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup-state", abstract: "Report the state of the server's directory to setup.",
        shouldDisplay: false)

    @Flag(help: "Record that the recovery key has been shown.") var shown = false
    @Flag(help: "Print exactly one JSON object.") var json = false

    var output: Output { Output(json: true) }

    func run() throws {
        let directory = try DirectoryOptions.enter(ServerDirectory.installed)
        if shown { directory.recoveryKeyWasShown() }
        var members: Members = ["isInitialized": directory.isInitialized]
        members["role"] = directory.role?.rawValue
        members["hasDevicesWithoutKey"] = directory.hasDevicesWithoutKey
        members["seal"] = directory.keyPlace?.rawValue
        members["fingerprint"] = try? directory.fingerprint()
        members["unshown"] = directory.unshownRecoveryKey
        members["answers"] = ServerProbe(path: SetupCommand.socket).isAnswered()
        members["listener"] = ServerProbe.listenerState(of: directory)
        try output.succeed("", members)
    }
}

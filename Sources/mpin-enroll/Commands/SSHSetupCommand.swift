// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import SystemFiles

struct SSHSetupCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Make ssh ask for the PIN when you log in to some hosts.",
        discussion: """
            Shows the change of ~/.ssh/config and asks before it makes it. A second setup adds hosts.

            Example: mpin-enroll ssh setup db1 '*.example.org'
            """)

    @Argument(
        help: ArgumentHelp("Hosts as you type them after ssh: names, or patterns with * and ?.", valueName: "pattern"),
        transform: SSHPattern.init)
    var patterns: [SSHPattern] = []

    @Flag(help: "Undo the setup for all hosts.") var remove = false

    @Flag(help: "Do not ask.") var yes = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard patterns.isEmpty == remove else {
            throw ValidationError(remove ? "--remove is for all hosts: omit the patterns." : "Give a host or pattern.")
        }
    }

    func work() throws(CommandFailure) -> Report {
        try OwnSSHCommand.requireOwnAccount(common)
        guard let directory = SSHFiles.userDirectory else { throw SSHFiles.noAccount }
        if !remove || FileFacts.isThere(directory) { try SSHFiles.makeDirectory(directory) }
        // Not the lock of the certificate: a setup that waits for an answer would keep ssh waiting.
        return try SSHFiles.inTurn(directory, lock: SSHClientFile.name + ".lock") { _ throws(CommandFailure) in
            try change(directory)
        }
    }

    private func change(_ directory: String) throws(CommandFailure) -> Report {
        for name in ["config", SSHClientFile.name] { DurableFile.removeDrafts(in: directory, of: name) }
        let setup = try SSHSetup(directory, adding: remove ? nil : patterns)
        var members: Members = ["hosts": setup.client.patterns.map(\.text), "changed": false]
        if let link = setup.link {
            return Report(
                ["\(link) is a symbolic link, so nothing was changed."] + byHand(setup.client), members, isAnswer: true)
        }
        guard setup.isNeeded else { return Report([outcome(setup.client)], members) }
        if !common.json, !common.quiet { for line in setup.shown { Terminal.say(line) } }
        if !yes {
            try common.confirm(
                "Make this change?", needed: "The configuration of ssh was not changed: confirmation is required.",
                refused: "Nothing was changed.", Advice("To make the change later, repeat this command."))
        }
        try setup.make()
        members["changed"] = true
        return Report([outcome(setup.client)], members)
    }

    private func byHand(_ client: SSHClientFile) -> [String] {
        // Lines that follow would otherwise belong to the last Match.
        remove
            ? ["Remove the line '\(SSHClientFile.include)', or the lines of mpin-enroll, yourself."]
            : ["Put these lines at the beginning of that file:"] + client.lines + ["Match all"]
    }

    private func outcome(_ client: SSHClientFile) -> String {
        guard !remove else { return "ssh no longer uses certificates of mpin-enroll." }
        return "ssh asks for the PIN to log in to: \(client.patterns.map(\.text).joined(separator: ", "))."
    }
}

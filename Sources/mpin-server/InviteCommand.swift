// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Foundation
import MPinServer
import MPinServerStorage
import QRCodes
import ShellSyntax

struct InviteCommand: DirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Create a code with which a user can enroll one device.",
        discussion: "Example: sudo mpin-server invite alice")

    @Argument(help: "The user ID that the code is for.", completion: .accounts) var userID: String

    @Option(help: .value("seconds", "Lifetime of the code, 1 to 31536000 (default invitation_ttl in server.conf)."))
    var ttl: Int?

    @OptionGroup var options: Options

    func run() throws {
        let administrator = try options.administrator()
        let fingerprint = try administrator.fingerprint()
        let (code, expires) = try administrator.invite(userID, seconds: ttl)
        let isSuspended = try administrator.user(userID).suspended != nil
        let invitation = try administrator.invitation(code)
        let command = invitation == code ? nil : "sudo mpin-enroll register --identity \(ShellWord.quoted(userID))"
        var text = invitation
        if let picture = QRCode(invitation)?.text(on: Display.output) { text += "\n" + picture }
        text += "\nEnrolls one device of \(userID). Expires at \(expires.zulu)."
        text += "\nFingerprint of the server's key:\n\(fingerprint)"
        if let command { text += "\nOn that device, run this, and paste the first line: \(visible(command))" }
        if isSuspended {
            text += "\nThe user is suspended. The code enrolls one device anyway.\nEnd the suspension: "
            text += options.line("user restore " + ShellWord.quoted(userID))
        }
        try options.output.succeed(
            text,
            [
                "code": code, "invitation": invitation, "userId": userID, "expires": expires.zulu,
                "suspended": isSuspended,
                "fingerprint": fingerprint, "next": command,
            ])
    }
}

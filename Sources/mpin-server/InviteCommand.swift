// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage
import ShellSyntax

/// Creates an invitation.
struct InviteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Create a code with which a user can enroll one device.")

    @Argument(help: "The user ID that the code is for.", completion: .accounts)
    var userID: String

    @OptionGroup var options: Options

    @Option(help: .value("seconds", "Lifetime of the code, 1 to 31536000 (default invitation_ttl in server.conf)."))
    var ttl: Int?

    func run() throws {
        let administrator = try options.administrator()
        let fingerprint = try administrator.fingerprint()
        let (code, expires) = try administrator.invite(userID, seconds: ttl)
        let isSuspended = try administrator.user(userID).suspended != nil
        var text = "\(code)\nEnrolls one device of \(userID). Expires at \(expires.zulu)."
        text += "\nFingerprint of the server's key:\n\(fingerprint)"
        if isSuspended {
            text += "\nThe user is suspended. The code enrolls one device anyway.\nEnd the suspension: "
            text += options.line("user restore " + ShellWord.quoted(userID))
        }
        options.output.succeed(
            text,
            [
                "code": code, "userId": userID, "expires": expires.zulu, "suspended": isSuspended,
                "fingerprint": fingerprint,
            ])
    }
}

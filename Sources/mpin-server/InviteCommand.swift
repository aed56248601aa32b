import ArgumentParser
import CommandSyntax
import MPinServer

/// Makes an invitation.
struct InviteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Make a code with which a person can enroll a device.")

    @Argument(help: "The user ID the code is for.", completion: .accounts)
    var userID: String

    @OptionGroup var options: Options

    @Option(
        help: ArgumentHelp(
            "How long the code is good, 1 to 31536000. Default: invitation_ttl in server.conf.", valueName: "seconds"))
    var ttl: Int?

    func run() throws {
        let administrator = try options.administrator()
        let (code, expires) = try administrator.invite(userID, seconds: ttl)
        let isSuspended = try administrator.user(userID).suspended != nil
        var text = "\(code)\nFor \(userID), once, until \(expires.zulu)."
        if isSuspended {
            text += "\nThe user is suspended, which this lifts for that one device alone. For good: "
            text += options.line("user restore " + ShellWord.quoted(userID))
        }
        options.output.succeed(
            text, ["code": code, "userId": userID, "expires": expires.zulu, "suspended": isSuspended])
    }
}

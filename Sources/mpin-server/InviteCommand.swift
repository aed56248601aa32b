import ArgumentParser
import MPinServer

/// Makes an invitation.
struct InviteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Make a code with which a person can enrol a device.")

    @Argument(help: "The user ID the code is for.")
    var userID: String

    @OptionGroup var options: Options

    @Option(
        help: ArgumentHelp(
            "How long the code is good, 1 to 31536000. Default: invitation_ttl in server.conf.", valueName: "seconds"))
    var ttl: Int?

    func run() throws {
        let (code, expires) = try options.administrator().invite(userID, seconds: ttl)
        options.output.succeed(
            "\(code)\nFor \(userID), once, until \(expires.zulu).",
            ["code": code, "userId": userID, "expires": expires.zulu])
    }
}

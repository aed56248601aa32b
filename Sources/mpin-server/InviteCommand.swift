// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage
import QRCodes
import ShellSyntax

struct InviteCommand: DirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Create codes with which users can enroll one device each.",
        discussion: "Example: sudo mpin-server invite alice bob --ttl 3d")

    @Argument(help: .value("user-id", "The user IDs that the codes are for."), completion: .accounts) var userIDs:
        [String] = []

    @Option(help: .value("time", "Lifetime, such as 15m, 24h or 3d (default invitation_ttl in server.conf)."))
    var ttl: Lifetime?

    @Flag(help: "List the pending invitations, without their codes.") var list = false

    @Flag(help: "Cancel all pending invitations of the users.") var cancel = false

    @OptionGroup var options: Options

    func validate() throws {
        guard !list || !cancel else { throw ValidationError("Give --list or --cancel, not both.") }
        guard ttl == nil || !(list || cancel) else { throw ValidationError("--ttl is for new invitations.") }
        guard Set(userIDs).count == userIDs.count else { throw ValidationError("Give each user ID once.") }
        guard list == userIDs.isEmpty else {
            throw ValidationError(list ? "--list takes no user ID." : "Give the user IDs.")
        }
    }

    func run() throws {
        let administrator = try options.administrator()
        if list { return try show(administrator.pendingInvitations()) }
        if cancel { return try report(canceled: administrator.cancelInvitations(of: userIDs)) }
        let suspended = try Set(administrator.users().filter { $0.suspended != nil }.map(\.user))
        let (invitations, expires) = try administrator.invite(userIDs, seconds: ttl?.seconds)
        let fingerprint = try administrator.fingerprint()
        let all = invitations.map { invitation in
            Invited(invitation, isSuspended: suspended.contains(invitation.user))
        }
        var text = Invited.sentence(all)
        text += all.count == 1 ? ", and is" : ". All are"
        text += " \(Lifetime.text(until: expires.zulu))."
        if let command = Invited.command(all) {
            text +=
                all.count == 1
                ? "\nOn that device, run this, and paste the first line:\n\(visible(command))"
                : "\nOn each device, run this, and paste the user's invitation:\n\(command)"
        } else {
            text +=
                "\nOnly this machine can use \(all.count == 1 ? "it" : "them"). Enroll here: \(Invited.command(all, isForOthers: true) ?? "")"
            text += "\nLet other machines use the server: see 'sudo mpin-server setup --help'"
        }
        for user in all where user.isSuspended {
            text += "\n\(visible(user.invitation.user)) is suspended. The code enrolls one device anyway."
            text += "\nEnd the suspension: "
            text += options.line("user restore " + ShellWord.quoted(user.invitation.user))
        }
        var members: Members = ["expires": expires.zulu, "fingerprint": fingerprint]
        if all.count == 1 {
            members = members.merging(all[0].members)
        } else {
            members["invitations"] = all.map(\.members)
        }
        try options.output.succeed(Invited.heading(all, above: text), members)
    }

    private func show(_ pending: [PendingInvitation]) throws {
        guard options.json || !pending.isEmpty || !Display.output.isTerminal else {
            return try options.output.succeed("No invitation is pending.", [:])
        }
        let rows = pending.map { invitation in
            [
                Table.Cell(invitation.user), .time(invitation.created.zulu), .time(invitation.expires.zulu),
                Table.Cell(invitation.isByOwner ? "the user" : "administrator"),
            ]
        }
        try options.output.succeed(
            Table(heading: ["USER", "SINCE", "UNTIL", "MADE BY"], rows: rows),
            [
                "invitations": pending.map { invitation -> Members in
                    [
                        "userId": invitation.user, "since": invitation.created.zulu,
                        "expires": invitation.expires.zulu, "byOwner": invitation.isByOwner,
                    ]
                }
            ])
    }

    private func report(canceled counts: [Int]) throws {
        let lines = zip(userIDs, counts).map { user, count in
            "\(visible(user)): \(counted(count, "invitation")) canceled"
        }
        try options.output.succeed(
            lines.joined(separator: "\n"),
            [
                "canceled": zip(userIDs, counts).map { user, count -> Members in
                    ["userId": user, "invitations": count]
                }
            ])
    }
}

/// A user who was just invited.
private struct Invited {
    let invitation: Administrator.NewInvitation
    let isSuspended: Bool

    init(_ invitation: Administrator.NewInvitation, isSuspended: Bool) {
        (self.invitation, self.isSuspended) = (invitation, isSuspended)
    }

    /// Whether other machines can use the invitation, which then has the server's address.
    private var isForOthers: Bool { invitation.text != invitation.code }

    /// What enrolls another machine; nil if none can use the server.
    ///
    /// - Parameter isForOthers: nil for what the invitations say.
    static func command(_ all: [Invited], isForOthers: Bool? = nil) -> String? {
        guard isForOthers ?? all.allSatisfy(\.isForOthers) else { return nil }
        let isNamed = all.allSatisfy { $0.invitation.user.wholeMatch(of: /[a-z_][a-z0-9_-]{0,31}/) != nil }
        let name = all.count == 1 ? ShellWord.quoted(all[0].invitation.user) : "USER"
        // Without an option, the account of the caller of sudo would be enrolled.
        return "sudo mpin-enroll register \(isNamed ? "--user" : "--identity") \(name)"
    }

    var members: Members {
        [
            "code": invitation.code, "invitation": invitation.text, "userId": invitation.user,
            "suspended": isSuspended, "next": Invited.command([self]),
        ]
    }

    /// What the invitations do.
    static func sentence(_ all: [Invited]) -> String {
        all.count == 1
            ? "Enrolls one device of \(visible(all[0].invitation.user))" : "Each enrolls one device of its user"
    }

    /// The invitations, above a text. A QR code is for the camera of another machine, so it needs an address. It is left
    /// out if the invitation would scroll away.
    static func heading(_ all: [Invited], above text: String) -> String {
        guard all.count == 1, let only = all.first else {
            let table = Table(
                heading: ["USER", "INVITATION"], rows: all.map { [$0.invitation.user, $0.invitation.text] })
            return (table.lines(on: .output) + [text]).joined(separator: "\n")
        }
        let display = Display.output, invitation = visible(only.invitation.text)
        // With the invitation itself, and the prompt of the shell.
        let others = display.height(of: text) + 2
        let picture = only.isForOthers ? QRCode(invitation)?.text(on: display, linesElsewhere: others) : nil
        return ([invitation, picture, text].compactMap { $0 }).joined(separator: "\n")
    }
}

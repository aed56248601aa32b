import ArgumentParser
import CommandSyntax
import MPinServer

/// The user, and perhaps the device, of a change.
struct ChangedUser: ParsableArguments {
    @Argument(help: "The user ID.", completion: .accounts) var userID: String
    @Option(help: ArgumentHelp("One device alone, by its number in 'user show'.", valueName: "number"))
    var device: Int?
    @OptionGroup var options: Options

    /// A command about the same user.
    func line(_ command: String) -> String { options.line("user \(command) " + ShellWord.quoted(userID)) }

    /// That there is nothing to be done.
    func nothing(_ message: String) -> ServerFault {
        ServerFault(.nothingToChange, message, next: "user show " + ShellWord.quoted(userID))
    }

    /// What stands in an answer for programs.
    func members(_ members: [String: Any]) -> [String: Any] {
        var members = members
        members["userId"] = userID
        members["device"] = device
        return members
    }
}

extension UserCommand {
    struct Unblock: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a user try again after wrong PINs.",
            discussion: "On every device that is blocked and not revoked, or on one: there also before it is blocked.")

        @OptionGroup var user: ChangedUser

        func run() throws {
            let administrator = try user.options.administrator()
            let before = try administrator.user(user.userID)
            let count = try administrator.unblock(user.userID, device: user.device)
            let revoked = before.devices.count { $0.state == .revoked }
            guard count > 0 else {
                if let device = user.device {
                    throw user.nothing("device \(device) of \(user.userID) is not blocked, and has no wrong PIN")
                }
                var text = "no device of \(user.userID) is blocked"
                if revoked > 0 { text += "; \(revoked) device(s) are revoked, which 'unblock' does not change" }
                throw user.nothing(text)
            }
            let blocked = before.devices.filter {
                $0.state == .blocked && (user.device == nil || $0.number == user.device)
            }
            let withoutKey = blocked.filter { !$0.hasDeviceKey }
            var text = "\(user.userID): \(count) device(s) unblocked"
            if !blocked.isEmpty { text += "\nOn each of them: sudo mpin-enroll recover, with the old PIN." }
            if !withoutKey.isEmpty {
                text += "\nNo device key: \(withoutKey.list). If it is a client of 2016, it must register again.\n"
                text += "Run: " + user.options.line("invite " + ShellWord.quoted(user.userID))
            }
            if blocked.isEmpty {
                text = "\(user.userID): the wrong PINs of device \(user.device ?? 0) are forgotten; it was not blocked"
            }
            if revoked > 0, user.device == nil {
                text += "\n\(revoked) device(s) are revoked, which this does not change. See: " + user.line("show")
            }
            user.options.output.succeed(text, user.members(["unblocked": count, "revoked": revoked]))
        }
    }

    /// Taken, so that its refusal says what leads on.
    struct Block: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Not there: wrong PINs block.", shouldDisplay: false)

        @OptionGroup var user: ChangedUser

        func run() throws {
            throw ServerFault(
                .usage, "only wrong PINs block a registration", hint: "To shut a user out, run: \(user.line("revoke"))")
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a user, or one device.",
            discussion: """
                A user: all devices and open invitations, and nothing new is admitted until 'restore', but the device \
                that a later invitation enrolls. One device: also what its user has made, backup codes and invitations.
                """)

        @OptionGroup var user: ChangedUser
        @Option(help: ArgumentHelp("Why; the user is told.", valueName: "text")) var reason: String?

        func run() throws {
            let administrator = try user.options.administrator()
            let before = try administrator.user(user.userID)
            _ = try administrator.revoke(user.userID, device: user.device, reason: reason)
            let change = UserChange(before, try administrator.user(user.userID)) {
                $0.state != .revoked && $1.state == .revoked
            }
            let voided = user.device == nil ? before.invitations.count : 0
            var text = change.text("revoked")
            if let device = user.device {
                let wasRevoked = before.devices.contains { $0.number == device && $0.state == .revoked }
                text = "\(user.userID): device \(device) revoked"
                if wasRevoked { text += "; it was already, and from now on 'user restore' leaves it so" }
                text += "\nTaken back by: \(user.line("restore")) --device \(device)"
            } else {
                text +=
                    "\nThe user is suspended\(before.suspended == nil ? "" : ", and was so already"). Taken back by: "
                text += user.line("restore")
                if voided > 0 {
                    text += "\nOpen invitations voided: \(voided); 'user restore' does not bring them back."
                }
            }
            user.options.output.succeed(
                text,
                user.members([
                    "revoked": change.devices, "unfinished": change.unfinished, "voided": voided,
                    "suspended": user.device == nil || before.suspended != nil,
                ]))
        }
    }

    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take back what 'revoke' did to a user, or to one device.",
            discussion: """
                A user: the last revocation. What was revoked by '--device', before, or by its owner stays revoked.
                """)

        @OptionGroup var user: ChangedUser

        func run() throws {
            let administrator = try user.options.administrator()
            let before = try administrator.user(user.userID)
            let count = try administrator.restore(user.userID, device: user.device)
            let after = try remaining(administrator)
            let devices = after?.devices ?? []
            let revoked = devices.filter { $0.state == .revoked && !$0.isRevokedByOwner }
            guard count > 0 || before.suspended != nil else {
                var text = "\(user.userID) is not suspended, and 'restore' without --device is for who is"
                if !revoked.isEmpty { text += "; revoked by itself or before: \(revoked.list)" }
                throw user.nothing(text)
            }
            let change = UserChange(before, after) { $0.state == .revoked && $1.state != .revoked }
            var text = change.text("restored")
            if let device = user.device { text = "\(user.userID): device \(device) restored" }
            if change.blocked > 0 {
                text += "\nStill blocked after wrong PINs: \(change.blocked). Unblock: " + user.line("unblock")
            }
            if user.device == nil, before.suspended != nil { text += "\nThe suspension has ended." }
            if user.device == nil, let first = revoked.first {
                text += "\nRevoked by itself or before, and still so: \(revoked.list). One of them: "
                text += user.line("restore") + " --device \(first.number)"
            }
            let given = devices.count { $0.isRevokedByOwner }
            if given > 0 { text += "\n\(given) device(s) stay revoked: their owner has revoked or replaced them." }
            if user.device != nil, after?.suspended != nil {
                text +=
                    "\nThe user stays suspended, and can set up a device only with an invitation. That ends with: "
                    + user.line("restore")
            }
            user.options.output.succeed(
                text,
                user.members([
                    "restored": change.devices, "unfinished": change.unfinished, "blocked": change.blocked,
                    "suspended": after?.suspended != nil,
                ]))
        }

        /// The user as he is now; nil where the suspension was all there was of him.
        private func remaining(_ administrator: Administrator) throws(ServerFault) -> UserRecord? {
            do throws(ServerFault) { return try administrator.user(user.userID) } catch {
                guard error.kind == .noSuchUser else { throw error }
                return nil
            }
        }
    }
}

extension [UserRecord.Device] {
    /// Their numbers, for a sentence.
    fileprivate var list: String { "device " + map { String($0.number) }.joined(separator: ", ") }
}

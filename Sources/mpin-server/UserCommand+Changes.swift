// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage
import ShellSyntax

/// The user, and optionally the device, that a command changes.
struct ChangedUser: ParsableArguments {
    @Argument(help: "The user ID.", completion: .serverUsers) var userID: String
    @Option(help: .value("number", "Only this device, by its number from 'user show'.")) var device: Int?
    @OptionGroup var options: Options

    func line(_ command: String) -> String { options.line("user \(command) " + ShellWord.quoted(userID)) }

    func nothing(_ message: String) -> ServerError {
        ServerError(.nothingToChange, message, next: "user show " + ShellWord.quoted(userID))
    }

    func members(_ members: Members) -> Members {
        var members = members
        members["userId"] = userID
        members["device"] = device
        return members
    }
}

extension UserCommand {
    struct Unblock: DirectoryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Unblock a user's devices after wrong PINs.",
            discussion:
                "Clears the wrong PINs of all blocked devices. With --device: clears those of this device, even if it is not blocked."
        )

        @OptionGroup var user: ChangedUser
        var options: Options { user.options }

        func run() throws {
            let administrator = try user.options.administrator()
            let before = try administrator.user(user.userID)
            let count = try administrator.unblock(user.userID, device: user.device)
            let revoked = before.revokedDevices
            guard count > 0 else {
                if let device = user.device {
                    throw user.nothing("device \(device) of \(user.userID) is not blocked and has no wrong PINs")
                }
                var text = "no device of \(user.userID) is blocked"
                if revoked > 0 { text += " (\(revoked) revoked; 'unblock' cannot restore them)" }
                throw user.nothing(text)
            }
            let wasBlocked = before.devices.contains {
                $0.state == .blocked && (user.device == nil || $0.number == user.device)
            }
            var text =
                wasBlocked
                ? "\(user.userID): \(counted(count, "device")) unblocked\n"
                    + "On each device, the user runs this and enters the old PIN: sudo mpin-enroll recover"
                : "\(user.userID): wrong PINs of device \(user.device ?? 0) cleared (it was not blocked)"
            if revoked > 0, user.device == nil {
                text +=
                    "\n\(counted(revoked, "device")) \(revoked == 1 ? "stays" : "stay") revoked. See: "
                    + user.line("show")
            }
            try user.options.output.succeed(text, user.members(["unblocked": count, "revoked": revoked]))
        }
    }

    struct Revoke: DirectoryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Suspend a user and revoke all devices, or revoke one device.",
            discussion: """
                Without --device: revokes all devices, invitations and backup codes. Until 'restore', only a later \
                invitation can enroll a device. With --device: revokes this device, and the backup codes and \
                invitations created by the user.
                """)

        @OptionGroup var user: ChangedUser
        var options: Options { user.options }
        @Option(help: .value("text", "Reason, shown to the user.")) var reason: String?

        func run() throws {
            let administrator = try user.options.administrator()
            let before = try administrator.user(user.userID)
            _ = try administrator.revoke(user.userID, device: user.device, reason: reason)
            let revoked = try administrator.user(user.userID).revokedDevices - before.revokedDevices
            let voided = user.device == nil ? before.invitations.count : 0
            var text = "\(user.userID): \(counted(revoked, "device")) revoked"
            if let device = user.device {
                text =
                    revoked == 0
                    ? "\(user.userID): device \(device) was already revoked.\n"
                        + "From now on, 'user restore' without --device does not restore it."
                    : "\(user.userID): device \(device) revoked"
                text += "\nBackup codes and invitations created by the user no longer work."
                text += "\nUndo: \(user.line("restore")) --device \(device)"
            } else {
                text += "\nThe user is suspended\(before.suspended == nil ? "" : " (as before)"). Undo: "
                text += user.line("restore")
                if voided > 0 { text += "\nOpen invitations voided: \(voided). 'user restore' does not restore them." }
            }
            if try administrator.mayHaveSSHCertificate(user.userID) { text += "\n" + SSHCommand.remaining }
            try user.options.output.succeed(
                text,
                user.members([
                    "revoked": revoked, "voided": voided,
                    "suspended": user.device == nil || before.suspended != nil,
                ]))
        }
    }

    struct Restore: DirectoryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Undo the last 'revoke' of a user or of one device.",
            discussion: """
                Without --device: ends the suspension and undoes the last revocation. Devices stay revoked if they were \
                revoked earlier, with --device, or by their owner.
                """)

        @OptionGroup var user: ChangedUser
        var options: Options { user.options }

        func run() throws {
            let administrator = try user.options.administrator()
            let before = try administrator.user(user.userID)
            let count = try administrator.restore(user.userID, device: user.device)
            guard count > 0 || before.suspended != nil else { throw user.nothing("\(user.userID) is not suspended") }
            // If nothing but the suspension was stored, there is no such user now.
            let after = try? administrator.user(user.userID)
            let revoked = after?.revokedDevices ?? 0
            let restored = before.revokedDevices - revoked
            var text = "\(user.userID): \(counted(restored, "device")) restored"
            if let device = user.device { text = "\(user.userID): device \(device) restored" }
            let blocked = after?.devices.count { $0.state == .blocked } ?? 0
            if blocked > 0 { text += "\nBlocked after wrong PINs: \(blocked). Unblock: " + user.line("unblock") }
            if user.device == nil {
                text += "\nThe suspension has ended."
                if revoked > 0 {
                    text +=
                        "\n\(counted(revoked, "device")) \(revoked == 1 ? "stays" : "stay") revoked. See: "
                        + user.line("show")
                }
            }
            if user.device != nil, after?.suspended != nil {
                text +=
                    "\nThe user stays suspended: a new device needs an invitation. End the suspension: "
                    + user.line("restore")
            }
            try user.options.output.succeed(
                text,
                user.members([
                    "restored": restored, "blocked": blocked, "suspended": after?.suspended != nil,
                ]))
        }
    }
}

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

    /// A command line for the same user.
    func line(_ command: String) -> String { options.line("user \(command) " + ShellWord.quoted(userID)) }

    /// The error if there is nothing to change.
    func nothing(_ message: String) -> ServerError {
        ServerError(.nothingToChange, message, next: "user show " + ShellWord.quoted(userID))
    }

    /// The members of the JSON output.
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
            let revoked = before.devices.count { $0.state == .revoked }
            guard count > 0 else {
                if let device = user.device {
                    throw user.nothing("device \(device) of \(user.userID) is not blocked and has no wrong PINs")
                }
                var text = "no device of \(user.userID) is blocked"
                if revoked > 0 { text += " (\(revoked) revoked; 'unblock' cannot restore them)" }
                throw user.nothing(text)
            }
            let blocked = before.devices.filter {
                $0.state == .blocked && (user.device == nil || $0.number == user.device)
            }
            let withoutKey = blocked.filter { !$0.hasDeviceKey }
            var text = "\(user.userID): \(count) device(s) unblocked"
            if !blocked.isEmpty {
                text += "\nOn each device, the user runs this and enters the old PIN: sudo mpin-enroll recover"
            }
            if !withoutKey.isEmpty {
                text += "\nDevices without a key: \(withoutKey.numbers). "
                text += "If one runs a client of 2016, the user must register again.\n"
                text += "Run: " + user.options.line("invite " + ShellWord.quoted(user.userID))
            }
            if blocked.isEmpty {
                text = "\(user.userID): wrong PINs of device \(user.device ?? 0) cleared (it was not blocked)"
            }
            if revoked > 0, user.device == nil {
                text += "\n\(revoked) device(s) stay revoked. See: " + user.line("show")
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
            let change = UserChange(before, try administrator.user(user.userID)) {
                $0.state != .revoked && $1.state == .revoked
            }
            let voided = user.device == nil ? before.invitations.count : 0
            var text = change.text("revoked")
            if let device = user.device {
                let wasRevoked = before.devices.contains { $0.number == device && $0.state == .revoked }
                text =
                    wasRevoked
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
            try user.options.output.succeed(
                text,
                user.members([
                    "revoked": change.devices, "unfinished": change.unfinished, "voided": voided,
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
            let after = try remaining(administrator)
            let devices = after?.devices ?? []
            let revoked = devices.filter { $0.state == .revoked && !$0.isRevokedByOwner }
            guard count > 0 || before.suspended != nil else {
                guard let first = revoked.first else { throw user.nothing("\(user.userID) is not suspended") }
                throw ServerError(
                    .nothingToChange, "\(user.userID) is not suspended",
                    hint: "Revoked: \(revoked.list). Restore one: \(user.line("restore")) --device \(first.number)")
            }
            let change = UserChange(before, after) { $0.state == .revoked && $1.state != .revoked }
            var text = change.text("restored")
            if let device = user.device { text = "\(user.userID): device \(device) restored" }
            if change.blocked > 0 {
                text += "\nStill blocked after wrong PINs: \(change.blocked). Unblock: " + user.line("unblock")
            }
            if user.device == nil, before.suspended != nil { text += "\nThe suspension has ended." }
            if user.device == nil, let first = revoked.first {
                text += "\nStill revoked (with --device, or earlier): \(revoked.list). Restore one: "
                text += user.line("restore") + " --device \(first.number)"
            }
            let given = devices.count { $0.isRevokedByOwner }
            if given > 0 { text += "\n\(given) device(s) stay revoked: their owner revoked or replaced them." }
            if user.device != nil, after?.suspended != nil {
                text +=
                    "\nThe user stays suspended: a new device needs an invitation. End the suspension: "
                    + user.line("restore")
            }
            try user.options.output.succeed(
                text,
                user.members([
                    "restored": change.devices, "unfinished": change.unfinished, "blocked": change.blocked,
                    "suspended": after?.suspended != nil,
                ]))
        }

        /// The user now; nil if nothing but the suspension existed.
        private func remaining(_ administrator: Administrator) throws(ServerError) -> UserRecord? {
            do throws(ServerError) { return try administrator.user(user.userID) } catch {
                guard error.kind == .noSuchUser else { throw error }
                return nil
            }
        }
    }
}

extension [UserRecord.Device] {
    /// The device numbers, for a sentence.
    fileprivate var list: String { "device " + numbers }

    fileprivate var numbers: String { map { String($0.number) }.joined(separator: ", ") }
}

/// The numbers of a user's registrations that a command has changed.
struct UserChange {
    private let user: String
    /// Devices whose enrollment was complete.
    private(set) var devices = 0
    /// How many of those are blocked now.
    private(set) var blocked = 0
    /// Registrations that have never logged in.
    private(set) var unfinished = 0

    /// - Parameters:
    ///   - after: nil if the user no longer exists.
    ///   - isChanged: whether the command turned the first device into the second.
    init(_ before: UserRecord, _ after: UserRecord?, _ isChanged: (UserRecord.Device, UserRecord.Device) -> Bool) {
        user = before.user
        for device in after?.devices ?? [] {
            guard let old = before.devices.first(where: { $0.number == device.number }), isChanged(old, device) else {
                continue
            }
            if device.isProven { devices += 1 } else { unfinished += 1 }
            if device.state == .blocked { blocked += 1 }
        }
    }

    func text(_ done: String) -> String {
        var text = "\(user): \(devices) device(s) \(done)"
        if unfinished > 0 { text += ", and \(unfinished) registration(s) that never logged in" }
        return text
    }
}

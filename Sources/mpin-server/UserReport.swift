// SPDX-License-Identifier: Apache-2.0
import Console
import Foundation
import MPinServer
import MPinServerStorage

struct UserReport {
    private let user: UserRecord
    private let limits: AttemptLimits
    private let restore: String
    private let display = Display.output
    private let refusesWithoutKey: Bool

    init(_ user: UserRecord, limits: AttemptLimits, restore: String, refusesWithoutKey: Bool) {
        (self.user, self.limits, self.restore) = (user, limits, restore)
        self.refusesWithoutKey = refusesWithoutKey
    }

    var text: String {
        var lines = ["\(visible(user.user)): \(display.state(user.state.rawValue))"]
        if let suspended = user.suspended {
            let reason = user.reason.map { " (\(visible($0)))" } ?? ""
            lines.append(
                "  \(display.state("SUSPENDED", shown: "suspended")) \(time(suspended))\(reason): a new device needs an invitation. End the suspension:"
            )
            lines.append("    " + restore)
        }
        for device in user.devices {
            let name = device.name.isEmpty ? "(no name)" : visible(device.name)
            var line = "  device \(device.number) \(name): \(display.state(device.state.rawValue))"
            switch device.state {
            case .started: line += ", not finished: waiting for verification since \(time(device.created))"
            case .activated: line += ", not finished: started \(time(device.created)), never logged in"
            case .lapsed: line += ", started \(time(device.created)), never finished"
            default: if let registered = device.registered { line += ", registered \(time(registered))" }
            }
            if device.hasDeviceKey { line += ", with a device key" }
            if let revoked = device.revoked { line += ", revoked \(time(revoked))" }
            if let reason = device.reason { line += " (\(visible(reason)))" }
            if device.state == .revoked, device.isRevokedByOwner {
                line += " by its owner ('user restore' cannot restore it)"
            }
            lines.append(line)
            if device.wrongSinceLastLogin > 0 || device.recentWrong > 0 {
                lines.append(
                    "    wrong PINs: \(device.wrongSinceLastLogin) since the last login, \(device.recentWrong) in "
                        + "\(limits.days) days (limit \(limits.recent)). Tries left: \(device.attemptsLeft)")
            }
            if refusesWithoutKey, device.isInForce, !device.hasDeviceKey {
                lines += [
                    "    cannot log in: it has no device key, and server.conf has legacy = refuse",
                    "    On this device, the user runs: sudo mpin-enroll recover",
                ]
            }
            if let userData = device.userData { lines.append("    user data \(Self.printable(userData))") }
        }
        for invitation in user.invitations { lines.append("  invited until \(time(invitation))") }
        if user.backupCodes > 0 { lines.append("  backup codes: \(user.backupCodes)") }
        return lines.joined(separator: "\n")
    }

    private func time(_ time: Timestamp) -> String { display.time(time.zulu) }

    var members: Members {
        var object: Members = [
            "userId": user.user, "state": user.state.rawValue, "maxInvalidLoginAttempts": limits.inARow,
            "maxRecentWrongAttempts": limits.recent, "recentWrongDays": limits.days,
            "backupCodes": user.backupCodes, "invitations": user.invitations.map(\.zulu),
            "devices": user.devices.map(Self.members),
        ]
        object["suspended"] = user.suspended?.zulu
        object["reason"] = user.reason
        return object
    }

    static func members(_ device: UserRecord.Device) -> Members {
        var members: Members = [
            "number": device.number, "name": device.name, "state": device.state.rawValue,
            "created": device.created.zulu, "hasLoggedIn": device.isProven, "failures": device.failures,
            "wrongSinceLastLogin": device.wrongSinceLastLogin, "recentWrong": device.recentWrong,
            "attemptsLeft": device.attemptsLeft, "deviceKey": device.hasDeviceKey,
        ]
        members["registered"] = device.registered?.zulu
        members["revoked"] = device.revoked?.zulu
        members["reason"] = device.reason
        members["userData"] = device.userData
        return members
    }

    /// The JSON text in ASCII, because a client chose it and it must not control the terminal.
    private static func printable(_ json: String) -> String {
        json.utf16.map { 0x20...0x7E ~= $0 ? String(UnicodeScalar(UInt8($0))) : "\\u" + hexadecimal($0) }.joined()
    }

    private static func hexadecimal(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

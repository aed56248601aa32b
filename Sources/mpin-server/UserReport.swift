import Foundation
import MPinServer

/// One user, as text and as members of an object.
struct UserReport {
    /// Wrong PINs after which a device is blocked.
    struct Limits {
        let inARow: Int
        /// Within so many days, whatever right ones were among them.
        let recent: Int
        let days: Int
    }

    private let user: UserRecord
    private let limits: Limits
    private let restore: String
    /// Whether devices without a key are not taken, and when a request was last refused that a device should have signed.
    private let unsigned: (areRefused: Bool, last: [Int: Timestamp])

    /// - Parameter restore: the command that ends a suspension.
    init(
        _ user: UserRecord, limits: Limits, restore: String, unsigned: (areRefused: Bool, last: [Int: Timestamp])
    ) {
        self.unsigned = unsigned
        self.user = user
        self.limits = limits
        self.restore = restore
    }

    var text: String {
        var lines = ["\(user.user): \(user.state.rawValue)"]
        if let suspended = user.suspended {
            let reason = user.reason.map { " (\($0))" } ?? ""
            lines.append("  suspended \(suspended.zulu)\(reason): sets up no device without an invitation, until")
            lines.append("    " + restore)
        }
        for device in user.devices {
            var line =
                "  device \(device.number) \(device.name.isEmpty ? "(no name)" : device.name): \(device.state.rawValue)"
            switch device.state {
            case .started: line += ", not finished: waits to be verified since \(device.created.zulu)"
            case .activated: line += ", not finished: has not logged in yet, begun \(device.created.zulu)"
            case .lapsed: line += ", begun \(device.created.zulu) and never finished"
            default: if let registered = device.registered { line += ", registered \(registered.zulu)" }
            }
            if device.hasDeviceKey { line += ", with a device key" }
            if let revoked = device.revoked { line += ", revoked \(revoked.zulu)" }
            if let reason = device.reason { line += " (\(reason))" }
            if device.state == .revoked, device.isRevokedByOwner {
                line += ", by its owner: 'user restore' leaves it so"
            }
            lines.append(line)
            if device.wrongSinceLastLogin > 0 || device.recentWrong > 0 {
                lines.append(
                    "    wrong PINs: \(device.wrongSinceLastLogin) since the last login, \(device.recentWrong) of "
                        + "\(limits.recent) in \(limits.days) days; \(device.attemptsLeft) left before a block")
            }
            lines += unsignedLines(device)
            if let userData = device.userData { lines.append("    user data \(Self.printable(userData))") }
        }
        for invitation in user.invitations { lines.append("  invited until \(invitation.zulu)") }
        if user.backupCodes > 0 { lines.append("  backup codes: \(user.backupCodes)") }
        return lines.joined(separator: "\n")
    }

    /// Why a device cannot log in that has no key, or whose key is elsewhere.
    private func unsignedLines(_ device: UserRecord.Device) -> [String] {
        guard device.state == .registered || device.state == .blocked else { return [] }
        var lines: [String] = []
        if !device.hasDeviceKey, unsigned.areRefused {
            lines = [
                "    has no device key, and cannot log in: legacy = refuse in server.conf",
                "    its owner runs there: mpin-enroll recover",
            ]
        }
        guard let last = unsigned.last[device.number] else { return lines }
        lines.append("    last refused without its device key: \(last.zulu)")
        if device.hasDeviceKey {
            lines.append("    that was a copy of the token, on another machine")
        }
        return lines
    }

    var members: [String: Any] {
        var object: [String: Any] = [
            "userId": user.user, "state": user.state.rawValue, "maxInvalidLoginAttempts": limits.inARow,
            "maxRecentWrongAttempts": limits.recent, "recentWrongDays": limits.days,
            "backupCodes": user.backupCodes, "invitations": user.invitations.map(\.zulu),
            "devices": user.devices.map { device in
                var object = Self.members(device)
                object["lastUnsigned"] = unsigned.last[device.number]?.zulu
                return object
            },
        ]
        object["suspended"] = user.suspended?.zulu
        object["reason"] = user.reason
        return object
    }

    /// One device as members of an object.
    static func members(_ device: UserRecord.Device) -> [String: Any] {
        var members: [String: Any] = [
            "number": device.number, "name": device.name, "state": device.state.rawValue,
            "created": device.created.zulu, "hasLoggedIn": device.isProven, "failures": device.failures,
            "wrongSinceLastLogin": device.wrongSinceLastLogin, "recentWrong": device.recentWrong,
            "attemptsLeft": device.attemptsLeft, "deviceKey": device.hasDeviceKey,
        ]
        members["registered"] = device.registered?.zulu
        members["revoked"] = device.revoked?.zulu
        members["reason"] = device.reason
        members["userData"] = device.userData.flatMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed)
        }
        return members
    }

    /// JSON in ASCII: the client that registered chose it, and it must not control a terminal.
    private static func printable(_ json: String) -> String {
        json.utf16.map { 0x20...0x7E ~= $0 ? String(UnicodeScalar(UInt8($0))) : "\\u" + hexadecimal($0) }.joined()
    }

    private static func hexadecimal(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

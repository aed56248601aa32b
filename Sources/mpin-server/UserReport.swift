import Foundation
import MPinServer

/// One user, as text and as members of an object.
struct UserReport {
    private let user: UserRecord
    private let limit: Int

    init(_ user: UserRecord, limit: Int) {
        self.user = user
        self.limit = limit
    }

    var text: String {
        var lines = ["\(user.user): \(user.state.rawValue)"]
        for device in user.devices {
            var line =
                "  device \(device.number) \(device.name.isEmpty ? "(no name)" : device.name): \(device.state.rawValue)"
            switch device.state {
            case .started: line += ", not finished: waits to be verified since \(device.created.zulu)"
            case .activated: line += ", not finished: has not logged in yet, begun \(device.created.zulu)"
            case .lapsed: line += ", begun \(device.created.zulu) and never finished"
            default: if let registered = device.registered { line += ", registered \(registered.zulu)" }
            }
            if device.failures > 0 { line += ", \(device.failures) wrong PIN(s), \(attemptsLeft(device)) left" }
            if let revoked = device.revoked { line += ", revoked \(revoked.zulu)" }
            if let reason = device.reason { line += " (\(reason))" }
            lines.append(line)
            if let userData = device.userData { lines.append("    user data \(Self.printable(userData))") }
        }
        for invitation in user.invitations { lines.append("  invited until \(invitation.zulu)") }
        return lines.joined(separator: "\n")
    }

    var members: [String: Any] {
        [
            "userId": user.user, "state": user.state.rawValue, "maxInvalidLoginAttempts": limit,
            "invitations": user.invitations.map(\.zulu), "devices": user.devices.map(members),
        ]
    }

    private func members(_ device: UserRecord.Device) -> [String: Any] {
        var members: [String: Any] = [
            "number": device.number, "name": device.name, "state": device.state.rawValue,
            "created": device.created.zulu, "hasLoggedIn": device.isProven, "failures": device.failures,
            "attemptsLeft": attemptsLeft(device),
        ]
        members["registered"] = device.registered?.zulu
        members["revoked"] = device.revoked?.zulu
        members["reason"] = device.reason
        members["userData"] = device.userData.flatMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed)
        }
        return members
    }

    /// JSON in ASCII: it was chosen by whoever registered, and must not steer a terminal.
    private static func printable(_ json: String) -> String {
        json.utf16.map { 0x20...0x7E ~= $0 ? String(UnicodeScalar(UInt8($0))) : "\\u" + hexadecimal($0) }.joined()
    }

    private static func hexadecimal(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    private func attemptsLeft(_ device: UserRecord.Device) -> Int { max(0, limit - device.failures) }
}

// SPDX-License-Identifier: Apache-2.0
import MPinServer
import MPinServerStorage

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

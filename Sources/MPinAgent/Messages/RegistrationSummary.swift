// SPDX-License-Identifier: Apache-2.0
package import MPin

/// What programs show of a registration. It has no secrets, so the agent gives it to the registration's owner.
package struct RegistrationSummary: Sendable {
    package let identity: String
    package let backend: String
    package let state: UserState
    package let keyPlace: DeviceKeyPlace
    package let deviceName: String
    package let attemptsLeft: Int?
    package let wrongSinceLastLogin: Int?
    package let backupCodes: Int?
    /// The registrations that it has replaced and the server has not revoked yet: their device numbers, if known.
    package let replacedDevices: [Int?]
    /// The fingerprint of the server's key, and how the registration got the key; nil for a Milagro registration.
    package let serverKey: String?
    package let serverKeySource: ServerKeySource?
    package let pinLength: Int?
    package let lastRefusal: MPinStatus?
    package let refusalReason: String?
    package let refusalTime: Int?
    package let issued: String?
    package let awaitsFirstLogin: Bool
    package let tpmFault: MPinError?

    /// Whether the server of a Milagro registration offers device keys, so that a recovery brings one.
    package let offersDeviceKey: Bool

    package var hasDeviceKey: Bool { keyPlace != .none }

    package init(_ user: User) {
        (identity, backend, state) = (user.identity, user.backend, user.state)
        (keyPlace, deviceName, pinLength) = (user.keyPlace, user.deviceName, user.pinLength)
        (attemptsLeft, wrongSinceLastLogin) = (user.attemptsLeft, user.wrongSinceLastLogin)
        (backupCodes, replacedDevices) = (user.notes.backupCodes, user.notes.replaced.map(\.device))
        (serverKey, serverKeySource) = (user.serverKeyText, user.serverKeySource)
        (lastRefusal, refusalReason, refusalTime) = (user.lastRefusal, user.refusalReason, user.refusalTime)
        (issued, awaitsFirstLogin, tpmFault) = (user.issued, user.awaitsFirstLogin, user.tpmFault)
        offersDeviceKey = user.offersDeviceKey
    }

    /// Reads the next values of a message; nil if they are no registration.
    package init?(_ fields: inout ActionFields) {
        (identity, backend) = (fields.text(), fields.text())
        guard let state = fields.item(of: UserState.allCases), let place = fields.item(of: DeviceKeyPlace.allCases)
        else {
            return nil
        }
        (self.state, keyPlace) = (state, place)
        (deviceName, attemptsLeft, wrongSinceLastLogin) = (
            fields.text(), fields.optionalNumber(), fields.optionalNumber()
        )
        (backupCodes, replacedDevices) = (fields.optionalNumber(), fields.items { $0.optionalNumber() as Int?? })
        serverKey = fields.optionalText()
        serverKeySource = serverKey == nil ? nil : fields.item(of: ServerKeySource.allCases)
        pinLength = fields.optionalNumber()
        let refusal = fields.optionalText()
        lastRefusal = MPinStatus.allCases.first { $0.name == refusal }
        (refusalReason, refusalTime) = (fields.optionalText(), fields.optionalNumber())
        (issued, awaitsFirstLogin, tpmFault) = (fields.optionalText(), fields.flag(), fields.error())
        offersDeviceKey = fields.flag()
    }
}

extension ActionFields {
    package mutating func add(_ registration: RegistrationSummary) {
        add(registration.identity)
        add(registration.backend)
        add(UserState.allCases.firstIndex(of: registration.state))
        add(DeviceKeyPlace.allCases.firstIndex(of: registration.keyPlace))
        add(registration.deviceName)
        add(registration.attemptsLeft)
        add(registration.wrongSinceLastLogin)
        add(registration.backupCodes)
        add(registration.replacedDevices) { $0.add($1) }
        add(registration.serverKey)
        if registration.serverKey != nil {
            add(registration.serverKeySource.flatMap { ServerKeySource.allCases.firstIndex(of: $0) })
        }
        add(registration.pinLength)
        add(registration.lastRefusal?.name)
        add(registration.refusalReason)
        add(registration.refusalTime)
        add(registration.issued)
        add(registration.awaitsFirstLogin)
        add(registration.tpmFault)
        add(registration.offersDeviceKey)
    }
}

extension User { package var summary: RegistrationSummary { RegistrationSummary(self) } }

// SPDX-License-Identifier: Apache-2.0
internal import MPin
internal import MPinWire

/// What a login of the owner is for. A new purpose is one row of ``all``.
package struct OwnerPurpose: Sendable {
    /// A login that is about to be finished: with the PIN, it does the work and returns the values for the user.
    typealias Work =
        @Sendable (inout MPinClient, borrowing PendingAuthentication, borrowing PIN, String) throws(MPinError) ->
        ActionFields

    let name: String
    /// The extension that the server must support, and its name in the message that it does not.
    let needed: (extension: ProtocolExtension, name: String)?
    /// The form of the argument.
    enum Argument {
        case none
        case number(ClosedRange<Int>)
        /// A number, or nothing.
        case optionalNumber(ClosedRange<Int>)
        /// The Base64 of an ssh public key.
        case sshKey
        /// An access number or code.
        case session
    }

    private let argument: Argument
    /// Nil for a purpose that answers a sign-in request, which `AccountActions.approve` does.
    let work: Work?

    private init(
        _ name: String, needing extension: ProtocolExtension? = nil, _ what: String = "",
        for argument: Argument = .none,
        work: Work?
    ) {
        (self.name, self.argument, self.work) = (name, argument, work)
        needed = `extension`.map { ($0, what) }
    }

    static let all: [OwnerPurpose] = [
        OwnerPurpose("test") { client, pending, pin, _ throws(MPinError) in
            _ = try client.finishAuthentication(pending, pin: pin)
            return ActionFields()
        },
        OwnerPurpose("otp") { client, pending, pin, _ throws(MPinError) in
            let otp = try client.finishAuthenticationOTP(pending, pin: pin)
            return ActionFields { fields in
                fields.add(otp.status.name)
                fields.add(otp.otp)
                fields.add(otp.ttlSeconds)
            }
        },
        OwnerPurpose("invite", needing: .owner, "invitations by users", for: .optionalNumber(60...3600)) {
            client, pending, pin, seconds throws(MPinError) in
            let invitation = try client.invite(seconds: Int(seconds), by: pending, pin: pin)
            return ActionFields { fields in
                fields.add(invitation.code)
                fields.add(invitation.expires)
            }
        },
        OwnerPurpose("devices", needing: .owner, "device lists") { client, pending, pin, _ throws(MPinError) in
            let found = try client.devices(by: pending, pin: pin)
            return ActionFields { fields in
                fields.add(found.backupCodes)
                fields.add(found.devices) { fields, device in
                    fields.add(device.number)
                    fields.add(device.name)
                    fields.add(device.state)
                    fields.add(device.created)
                    fields.add(device.isCurrent)
                }
            }
        },
        OwnerPurpose("devices revoke", needing: .owner, "device lists", for: .number(1...Int.max)) {
            client, pending, pin, number throws(MPinError) in
            try client.revokeDevice(Int(number) ?? 0, by: pending, pin: pin)
            return ActionFields()
        },
        OwnerPurpose("backup-codes", needing: .backupCodes, "backup codes", for: .number(1...20)) {
            client, pending, pin, count throws(MPinError) in
            let codes = try client.makeBackupCodes(count: Int(count) ?? 0, by: pending, pin: pin)
            return ActionFields { fields in
                fields.add(codes.batch)
                fields.add(codes.codes) { $0.add($1) }
            }
        },
        OwnerPurpose("backup-codes confirm", needing: .backupCodes, "backup codes", for: .number(0...Int.max)) {
            client, pending, pin, batch throws(MPinError) in
            let valid = try client.confirm(BackupCodes(codes: [], batch: Int(batch) ?? 0), by: pending, pin: pin)
            return ActionFields { $0.add(valid) }
        },
        OwnerPurpose("logout", needing: .owner, "signing out sessions from a device", for: .number(0...1)) {
            client, pending, pin, all throws(MPinError) in
            let count = try client.signOut(all: all == "1", by: pending, pin: pin)
            return ActionFields { $0.add(count) }
        },
        OwnerPurpose("ssh", needing: .sshCertificates, "ssh certificates", for: .sshKey) {
            client, pending, pin, key throws(MPinError) in
            let certificate = try client.sshCertificate(for: key, by: pending, pin: pin)
            return ActionFields { $0.add(certificate) }
        },
        // Its details are shown before the PIN is asked for; see `AccountActions.approve`.
        approve, approveAndSignOut,
    ]

    static let approve = OwnerPurpose("approve", for: .session, work: nil)
    static let approveAndSignOut = OwnerPurpose("approve then-log-out", for: .session, work: nil)

    /// Whether the argument is an access number or code.
    var isForSession: Bool { work == nil }

    package static func find(_ name: String) -> OwnerPurpose? { all.first { $0.name == name } }

    func isValid(_ text: String) -> Bool {
        switch argument {
        case .none: return text.isEmpty
        case .number(let allowed): return Self.isNumber(text, in: allowed)
        case .optionalNumber(let allowed): return text.isEmpty || Self.isNumber(text, in: allowed)
        case .sshKey: return SSHPublicKeyText.isValid(ByteText(text))
        case .session: return true
        }
    }

    private static func isNumber(_ text: String, in allowed: ClosedRange<Int>) -> Bool {
        guard let number = Int(text), String(number) == text else { return false }
        return allowed.contains(number)
    }
}

extension ActionFields {
    fileprivate init(_ write: (inout ActionFields) -> Void) {
        self.init()
        write(&self)
    }
}

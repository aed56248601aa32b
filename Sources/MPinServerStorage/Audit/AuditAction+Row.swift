// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension AuditAction {
    /// The kind of the action in the audit log, and what the log says besides it.
    package var row: (kind: AuditKind, detail: String?) {
        switch self {
        case .initialized: (.initialized, nil)
        case .started(let version, let address): (.started, "version \(version) on \(address)")
        case .stopped(let version): (.stopped, "version \(version)")
        case .rolledBack(let taken, let isAuthenticated):
            (.rolledBack, "to \(taken)" + (isAuthenticated ? "" : ", without MAC"))
        case .backedUp(let withKey): (.backedUp, withKey ? "with key" : nil)
        case .invited(let end, let byOwner):
            (.invited, (byOwner ? "for another device, until " : "until ") + end.zulu)
        case .invitationsCanceled(let count): (.invitationsCanceled, String(count))
        case .registrationStarted(let admission): (.registrationStarted, admission.text)
        case .registrationRestarted: (.registrationRestarted, nil)
        case .registrationRefused(let obstacle): (.registrationRefused, obstacle.rawValue)
        case .replaced: (.replaced, "had never logged in")
        case .mailSent: (.mailSent, nil)
        case .mailFailed(let reason): (.mailFailed, reason)
        case .activated(let proof): (.activated, proof.rawValue)
        case .enrolled(let hash): (.enrolled, Self.identity(hash))
        case .clientShareGiven(let hash): (.clientShareGiven, hash.map(Self.identity))
        case .permitShareGiven(let hash, let day):
            (
                .permitShareGiven,
                "\(Self.identity(hash)) for \(Timestamp(seconds: Int64(day) * 86_400).zulu.prefix(10))"
            )
        case .serverShareGiven: (.serverShareGiven, nil)
        case .serverShareKept(let url): (.serverShareKept, "from \(url)")
        case .login(let way): (.login, way.text)
        case .moreLogins(let shared): (.login, shared.text("more logins"))
        case .wrongPIN(let left):
            (left == 0 ? .blocked : .wrongPIN, "\(left) left")
        case .refused(let attempt): (.refused, attempt.text)
        case .moreRefusals(let shared): (.rateLimited, shared.text("more refused attempts"))
        case .approved: (.approved, nil)
        case .passwordIssued: (.passwordIssued, nil)
        case .logout(let count): (.logout, count.map { "\($0) sessions, from a device" })
        case .denied: (.denied, nil)
        case .backupCodesMade(let batch): (.backupCodesMade, "batch \(batch)")
        case .rateLimited(let guessed): (.rateLimited, guessed?.rawValue)
        case .unblocked(let devices): (.unblocked, Self.list(devices))
        case .revoked(let devices, let reason): (.revoked, Self.list(devices) + Self.because(reason))
        case .suspended(let devices, let reason):
            (.revoked, "user suspended, \(Self.list(devices))" + Self.because(reason))
        case .revokedByOwner(let device): (.revoked, "device \(device)")
        case .restored(let devices): (.restored, Self.list(devices))
        case .suspensionLifted(let devices): (.restored, "user no longer suspended, \(Self.list(devices))")
        case .purged: (.purged, nil)
        case .rotated: (.rotated, nil)
        case .joined(let node): (.joined, node)
        case .moved: (.moved, nil)
        case .resealed(let place): (.resealed, "in \(place.rawValue)")
        case .relyingPartyKeyMade: (.relyingPartyKey, "new")
        case .relyingPartyKeyAccepted: (.relyingPartyKey, "accepted")
        case .hostAdded(let name): (.hostAdded, name)
        case .hostRemoved(let name): (.hostRemoved, name)
        case .sshEnabled(let fingerprint): (.sshEnabled, fingerprint)
        case .sshDisabled: (.sshDisabled, nil)
        case .sshAllowed(let accounts): (.sshAllowed, "as \(accounts.joined(separator: ", "))")
        case .sshDenied: (.sshDenied, nil)
        case .sshCertificate(let grant, let serial, let end):
            (
                .sshCertificate,
                "device \(grant.device), serial \(serial), as \(grant.accounts.joined(separator: ", ")), "
                    + "until \(end.zulu)"
            )
        }
    }

    /// Names an identity by the SHA-256 of its M-Pin ID, so that the logs of both authorities use the same name.
    private static func identity(_ hash: [UInt8]) -> String { "identity \(HexText(bytes: hash).string)" }

    private static func because(_ reason: String?) -> String { reason.map { ": \($0)" } ?? "" }

    /// `device 2`, `devices 1, 3`
    private static func list(_ devices: [Int]) -> String {
        let list = devices.map(String.init).joined(separator: ", ")
        return switch devices.count {
        case 0: "no device"
        case 1: "device \(list)"
        default: "devices \(list)"
        }
    }
}

extension AuditAction.Admission {
    fileprivate var text: String {
        switch self {
        case .code(.invitation): "invited"
        case .code(.backup): "backup code"
        case .withoutCode: "without code"
        case .held(let isSuspended): isSuspended ? "held, user suspended" : "held"
        }
    }
}

extension AuditAction.LoginWay {
    fileprivate var text: String? {
        switch self {
        case .device: nil
        case .oneTimePassword: "one-time password"
        case .approval(let source, let host): "approved from \(source)" + (host.map { " for \($0)" } ?? "")
        }
    }
}

extension AuditAction.RefusedAttempt {
    fileprivate var text: String {
        switch self {
        case .revoked: "revoked"
        case .blocked: "blocked"
        case .withoutKey(let device): "device \(device): no device key, and legacy = refuse"
        case .oneTimePassword: "one-time password"
        case .unsignedQuestion: "not signed with the key of the relying party"
        }
    }
}

extension AuditAction.SharedEvents {
    fileprivate func text(_ what: String) -> String { "\(count) \(what), from \(first.zulu) to \(last.zulu)" }
}

// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension AuditAction {
    /// What the audit log says besides the kind; nil for nothing.
    var detail: String? {
        switch self {
        case .initialized, .registrationRestarted, .mailSent, .serverShareGiven, .approved, .passwordIssued, .denied,
            .purged, .rotated:
            nil
        case .started(let version, let address): "version \(version) on \(address)"
        case .stopped(let version): "version \(version)"
        case .rolledBack(let taken, let isAuthenticated, let before):
            "to \(taken)" + (isAuthenticated ? "" : ", without MAC") + (before.map { ", replaced: \($0)" } ?? "")
        case .backedUp(let withKey): withKey ? "with key" : nil
        case .invited(let end, let byOwner): (byOwner ? "for another device, until " : "until ") + end.zulu
        case .registrationStarted(let admission): admission.text
        case .registrationRefused(let obstacle): obstacle.rawValue
        case .replaced: "had never logged in"
        case .mailFailed(let reason): reason
        case .activated(let proof): proof.rawValue
        case .enrolled(let hash): Self.identity(hash)
        case .revokedByOwner(let device): "device \(device)"
        case .clientShareGiven(let hash): hash.map(Self.identity)
        case .permitShareGiven(let hash, let day):
            "\(Self.identity(hash)) for \(Timestamp(seconds: Int64(day) * 86_400).zulu.prefix(10))"
        case .serverShareKept(let url): "from \(url)"
        case .login(let way): way.text
        case .moreLogins(let shared): shared.text("more logins")
        case .wrongPIN(let left, let wasCutOff):
            "\(left) left" + (wasCutOff ? "; the server stopped while it verified the PIN" : "")
        case .refused(let attempt): attempt.text
        case .moreRefusals(let shared): shared.text("more refused attempts")
        case .logout(let count): count.map { "\($0) sessions, from a device" }
        case .backupCodesMade(let batch): "batch \(batch)"
        case .rateLimited(let guessed): guessed?.rawValue
        case .unblocked(let devices), .restored(let devices): Self.list(devices)
        case .revoked(let devices, let reason): Self.list(devices) + Self.because(reason)
        case .suspended(let devices, let reason): "user suspended, \(Self.list(devices))" + Self.because(reason)
        case .suspensionLifted(let devices): "user no longer suspended, \(Self.list(devices))"
        case .resealed(let place): "in \(place.rawValue)"
        case .relyingPartyKeyMade: "new"
        case .relyingPartyKeyAccepted: "accepted"
        case .hostAdded(let name), .hostRemoved(let name): name
        }
    }

    /// The number of the device that was refused because it has no key; nil for other events.
    var unsignedDevice: Int? { if case .refused(.withoutKey(let device)) = self { device } else { nil } }

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

// SPDX-License-Identifier: Apache-2.0
import CMPinSystem
import Console
import MPinConfiguration
import MPinPAM
import MPinWire

/// Shows whether logins in this session use the PIN.
struct SessionExamination {
    /// Why they do not, or nil.
    private let reason: String?

    init(_ configuration: Configuration) {
        switch UserPlace(mpin_place_of(0, -1)) {
        case .local: reason = nil
        case .remote(let why), .outside(let why):
            let isSettled = configuration.acceptsRemotePIN || configuration.acceptsRemoteSwitch
            reason = isSettled ? nil : why.string
        }
    }

    /// A note for a command that has used the PIN where sudo would not.
    var lines: [String] { reason.map { ["Logins here do not use the PIN: \($0)."] } ?? [] }

    /// A remote session is no problem of the machine.
    var findings: [Finding] {
        guard let reason else { return [] }
        return [
            Finding(
                "stacks", .ok,
                "Logins in this session do not use the PIN: \(reason). To use it in sudo, see sudo_over_ssh in "
                    + "mpin.conf(5).")
        ]
    }
}

// SPDX-License-Identifier: Apache-2.0
import CMPinSystem
import Console
import MPinConfiguration
import MPinPAM
import MPinWire

/// Shows that sudo, or another program that changes the user, takes no PIN in this session.
struct SessionExamination {
    /// Where the session is and why it takes no PIN; nil if it takes the PIN.
    private let reason: String?
    private let file: String

    init(_ configuration: Configuration) {
        file = configuration.file
        let isSettled = configuration.acceptsRemotePIN || configuration.acceptsRemoteSwitch
        switch UserPlace(mpin_place_of(0, -1)) {
        case .local: reason = nil
        case .remote(let why): reason = isSettled ? nil : " in this session: " + why.string
        case .outside(let why): reason = isSettled ? nil : " here: " + why.string
        }
    }

    /// What a service does instead, and the narrowest setting that changes it.
    ///
    /// - Parameter verb: what the service does.
    func lines(_ service: String = "sudo", _ verb: String = "asks for the password") -> [String] {
        guard let reason else { return [] }
        return [
            "\(service) \(verb)\(reason).",
            "To use the PIN in sudo and su here, set sudo_over_ssh = pin in \(file).",
        ]
    }

    /// Whether mpin-agent takes the PIN in this session.
    static func agentTakesPIN(_ configuration: Configuration) -> Bool {
        if case .local = UserPlace(mpin_place_of(0, -1)) { return true }
        return configuration.acceptsRemotePIN
    }

    /// A remote session is no problem of the machine.
    var findings: [Finding] {
        reason == nil ? [] : [Finding("stacks", .ok, lines().joined(separator: " "))]
    }
}

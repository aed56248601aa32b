// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinAgent

/// The server of a registration: the key that the registration belongs to, and the key that the server has now.
struct KnownServer {
    private let user: RegistrationSummary
    private let present: Result<String, CommandFailure>

    /// Reads the next values of an action's result; nil if they are no server.
    init?(_ fields: inout ActionFields) {
        guard let user = RegistrationSummary(&fields) else { return nil }
        let (key, error) = (fields.optionalText(), fields.error())
        if let key {
            present = .success(key)
        } else if let error {
            present = .failure(CommandFailure(error, at: user.backend))
        } else {
            return nil
        }
        self.user = user
    }

    /// The server's address, as the registration has it.
    var address: String { user.backend }

    private var pinned: String? { user.serverKey }

    /// The lines, with their names in the first column.
    var lines: [String] {
        ["identity  \(user.identity)", "server    \(user.backend)"] + TargetAccount.serverKeyLines(of: user)
            + ["now       \(verdict)"]
    }

    private var verdict: String {
        switch (present, pinned) {
        case (.failure(let failure), _): failure.message
        case (.success(let key), nil):
            "the server has the key \(key). Only 'recover' makes an enrollment that belongs to it"
        case (.success(let key), let pinned?) where key == pinned: "the server has this key"
        case (.success(let key), _): "the server at this address has another key, which may be an attacker's: \(key)"
        }
    }

    var members: [String: Report.Value] {
        var members = TargetAccount.serverKeyMembers(of: user)
        members["identity"] = .text(user.identity)
        members["server"] = .text(user.backend)
        switch present {
        case .success(let key):
            members["presentKey"] = .text(key)
            if let pinned { members["hasKey"] = .flag(key == pinned) }
        case .failure(let failure): members["message"] = .text(failure.message)
        }
        return members
    }

    /// The hint; `nil` if nothing is wrong.
    var advice: Advice? {
        switch present {
        case .success: exitStatus == nil ? nil : CommandFailure.otherKeyAdvice
        case .failure(let failure): failure.advice
        }
    }

    /// `nil` if the registration can log in at this server.
    var exitStatus: ExitStatus? {
        switch present {
        case .success(let key): pinned.map { $0 == key } ?? true ? nil : .unavailable
        case .failure(let failure): failure.exitStatus
        }
    }
}

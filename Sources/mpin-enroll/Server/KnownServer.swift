// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinAgent
import MPinConfiguration
import MPinCrypto

/// The server of a registration: the key that the registration belongs to, and the key that the server has now.
struct KnownServer {
    let user: RegistrationSummary
    private let present: Present

    /// What the server has answered about its key.
    private enum Present {
        case key(String)
        /// It offers no proof of a key, as a server of 2016, and the registration belongs to none.
        case none
        case failed(CommandFailure)
    }

    /// Reads the next values of an action's result; nil if they are no server.
    init?(_ fields: inout ActionFields) {
        guard let user = RegistrationSummary(&fields) else { return nil }
        let (key, error) = (fields.optionalText(), fields.error())
        if let key {
            present = .key(key)
        } else if let error {
            let isOld = error.cause == .noServerProof && user.serverKey == nil
            present = isOld ? .none : .failed(CommandFailure(error, at: user.backend))
        } else {
            return nil
        }
        self.user = user
    }

    /// The lines, with their names in the first column.
    var lines: [String] {
        ["identity  \(user.identity)", "server    \(user.backend)"] + TargetAccount.wholeKeyLines(of: user)
            + ["now       \(verdict)"]
    }

    private var verdict: String {
        switch (present, user.serverKey) {
        case (.failed(let failure), _): failure.message
        case (.none, _): "the server proves no key, as a server of 2016"
        case (.key(let key), nil):
            "the server has the key \(key). Only 'recover' makes an enrollment that belongs to it"
        case (.key(let key), let pinned?) where key == pinned: "the server has this key"
        case (.key(let key), _): "the server at this address has another key, which may be an attacker's: \(key)"
        }
    }

    var members: Members {
        var members = TargetAccount.serverKeyMembers(of: user)
        members["identity"] = user.identity
        members["server"] = user.backend
        switch present {
        case .key(let key):
            members["presentKey"] = key
            if let pinned = user.serverKey { members["hasKey"] = key == pinned }
        case .none: break
        case .failed(let failure): members["message"] = failure.message
        }
        return members
    }

    /// The hint; `nil` if nothing is wrong.
    var advice: Advice? {
        switch present {
        case .key: exitStatus == nil ? nil : CommandFailure.otherKeyAdvice(isShown: true)
        case .none: nil
        case .failed(let failure): failure.advice
        }
    }

    /// `nil` if the registration can log in at this server.
    var exitStatus: ExitStatus? {
        switch present {
        case .key(let key): user.serverKey.map { $0 == key } ?? true ? nil : .unavailable
        case .none: nil
        case .failed(let failure): failure.exitStatus
        }
    }
}

extension KeyFingerprint {
    /// The message about text that is no fingerprint.
    static var form: String {
        "A fingerprint of a server's key has 64 hexadecimal digits. Hyphens, colons and spaces do not count."
    }
}

extension ProvenServer {
    /// The server at an address.
    ///
    /// - Parameter isKnown: whether the caller compares its key with the expected one. Otherwise, this machine must trust
    ///   its certificate.
    static func at(
        _ address: String, _ configuration: Configuration, isKnown: Bool = true
    ) throws(CommandFailure) -> ProvenServer {
        ProgressNotice.name(address)
        var options = configuration.transport
        options.watch = ProgressNotice.watch
        do throws(MPinError) {
            let server = try MPinClient.hello(address, options: options, isKnown: isKnown)
            // Logins need a certificate that this machine or the key vouches for.
            if isKnown { try MPinClient.test(address, server, options: options) }
            return server
        } catch { throw CommandFailure(error, at: address) }
    }
}

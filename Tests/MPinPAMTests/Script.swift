// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinConfiguration
import MPinPAM
import MPinWire

/// The state of a scenario: its surroundings, the given answers, and the events so far.
final class Script: System {
    struct Settings {
        var user: String? = "alice"
        var service = "sudo"
        var remoteHost: String?
        var firstPass: String?
        var isSilent = false
        var wantsAgedOnly = false
        var caller = Caller(realUID: 1000, startingUID: 1000, accountUID: 1000, place: .local)
        var arguments: [String] = []
        var file: [String] = []
        /// Whether the server's socket or the network is missing.
        var serverIsAbsent = false
        /// The outcome of a call that is left to the agent.
        var agent = AgentAnswer.absent
        /// Why there is no registration, as a word.
        var absence: String?
    }

    var settings = Settings()
    var registration = ScriptedRegistration()
    var answers: [String?] = []
    var events: [String] = []
    var memory: [String: Int] = [:]
    var kept: PIN?
    var clock: Int64 = 5000
    /// How long an answer to a prompt takes, in milliseconds.
    var typingTime: Int64 = 300

    func event(_ text: String) { events.append(text) }

    func configuration(arguments: [ByteText]) throws(ConfigurationError) -> Configuration {
        let text = Array(settings.file.joined(separator: "\n").utf8)
        return try Configuration.parse(text.span, path: "/etc/mpin/mpin.conf", arguments: arguments.map(\.string))
    }

    func isServerAbsent(_ configuration: Configuration, _ registration: ScriptedRegistration?) -> Bool {
        settings.serverIsAbsent
    }

    func openRegistration(
        of account: ByteText, _ user: UInt32, _ configuration: Configuration
    ) throws(RegistrationError) -> ScriptedRegistration {
        event("open \(account.string)")
        switch settings.absence {
        case nil: break
        case "not-enrolled": throw .store(.notEnrolled)
        case "replaced": throw .replaced
        case "no-store": throw .store(.noStore)
        case "closed": throw .store(.notPermitted)
        case "unsafe": throw .store(.unsafe("belongs to another user"))
        case "damaged": throw .store(.damaged("it is not whole"))
        case "io-error": throw .store(.failed(5))
        case "no-memory": throw .store(.noMemory)
        case "bad-name": throw .store(.badAccountName)
        case "none-fits": throw .noneFits(isRevoked: registration.lastRefusal == .revoked)
        case "ambiguous": throw .ambiguous
        case "unmappable": throw .unmappable
        default: throw .store(.failed(-1))
        }
        registration.script = self
        return registration
    }
}

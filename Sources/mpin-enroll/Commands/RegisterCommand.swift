// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPin
import MPinAgent
import MPinCrypto

struct RegisterCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Enroll this account.",
        discussion: "Example: sudo mpin-enroll register --server https://mpin.example.org")

    @OptionGroup var code: CodeOptions
    @OptionGroup var key: KeyOptions

    @Option(help: .value("file", "Read the new PIN from a file (- for standard input)."), completion: .file())
    var pinFile: String?

    @Option(help: .value("name", "Use this device name (default: the host name).")) var device: String?

    @Option(help: .value("fingerprint", "Enroll only at the server with this fingerprint."))
    var serverKey: String?

    @Flag(help: "Discard an unfinished enrollment and start again.") var startOver = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard pinFile != "-" || code.codeFile != "-" else {
            throw ValidationError("Only one of PIN and code can come from standard input.")
        }
        guard serverKey == nil || namedKey != nil else { throw ValidationError(KeyFingerprint.form) }
    }

    private var namedKey: KeyFingerprint? { serverKey.flatMap { KeyFingerprint($0) } }

    func work() throws(CommandFailure) -> Report {
        try RegisterCommand.enroll(
            try TargetAccount(common).demanding(key), common, code: code.source(common, for: "register"),
            pin: PINSource(file: pinFile, mayAsk: common.mayAsk),
            device: device, startsOver: startOver, serverKey: namedKey, notice: common.authorityNotice)
    }

    /// Registers an account that has no registration or an unfinished one.
    static func enroll(
        _ target: TargetAccount, _ common: CommonOptions, code: CodeSource, pin: PINSource, device: String? = nil,
        startsOver: Bool = false, serverKey: KeyFingerprint? = nil, notice: [String] = []
    ) throws(CommandFailure) -> Report {
        var code = code
        do throws(CommandFailure) {
            let target = try target.choosingServer(&code, mayAsk: pin.mayAsk)
            let server = try target.requiredServer()
            return try target.inTurn(create: true) { () throws(CommandFailure) in
                var flow = RegistrationFlow(
                    target: target, device: device, code: code, pin: pin, startsOver: startsOver)
                flow.serverKey = serverKey ?? target.configuredServerKey(of: target.normalServer)
                return try enrollInTurn(flow, common, at: server, notice)
            }
        } catch {
            guard case .closedStore? = error.circumstance as? Circumstance else { throw error }
            let answer = try target.enrollThroughAgent(
                AccountAction(.enroll, "register", device ?? HostName.current), common, code, pin,
                isPlain: serverKey == nil, error)
            try answer.require()
            return outcome(answer.registration, target, common, at: answer.registration.backend, notice)
        }
    }

    private static func enrollInTurn(
        _ registering: RegistrationFlow, _ common: CommonOptions, at server: String, _ notice: [String]
    ) throws(CommandFailure) -> Report {
        let target = registering.target
        var client = try target.open(create: true)
        if let present = try target.registration(in: client) {
            try refuse(present)
        } else {
            try target.requireRoom(in: client)
        }
        let (user, proved) = try registering.run(&client)
        if !registering.progress.abandoned.isEmpty {
            // A failure does not affect the new registration.
            _ = proved.withPIN { client.revoke(registering.progress.abandoned, inFavorOf: user, pin: $0) }
        }
        return outcome(user.summary, target, common, at: server, notice)
    }

    private static func outcome(
        _ user: RegistrationSummary, _ target: TargetAccount, _ common: CommonOptions, at server: String,
        _ notice: [String]
    ) -> Report {
        let services = StackExamination().asking
        return Report(
            ["\(name(user, target)) is enrolled at \(server), and has logged in."] + TargetAccount.keyNotice(user)
                + TargetAccount.serverKeyNotice(user) + notice + (services.isEmpty ? [noService] : []),
            target.description(of: user), next: howToUse(target, services, common.subject(user)))
    }

    private static func name(_ user: RegistrationSummary, _ target: TargetAccount) -> String {
        user.identity == target.account ? target.account : "\(target.account) (\(user.identity))"
    }

    private static let noService =
        "No service asks for the PIN yet. Preview the change for sudo: sudo mpin-enroll pam enable sudo"

    /// The hint after registering: the services that ask for the PIN, and the command to test it. Only the user has the
    /// PIN.
    private static func howToUse(
        _ target: TargetAccount, _ services: [String], _ subject: Advice.Subject
    ) -> Advice {
        let isOwn = target.account == AccountName.caller ?? AccountName.own
        let request = "Ask \(target.account) to test the PIN: mpin-enroll test"
        guard services.isEmpty else {
            let all = "The PIN works for: \(services.joined(separator: ", "))."
            return isOwn ? Advice("\(all) Try it", "test", of: subject) : Advice("\(all) \(request)")
        }
        return isOwn ? Advice("Try the PIN", "test", of: subject) : Advice(request)
    }

    /// Refuses to replace a registration that has a token; `recover` does that.
    private static func refuse(_ present: User) throws(CommandFailure) {
        guard present.state == .registered || present.state == .blocked else { return }
        throw CommandFailure.enrolledAlready(present.summary)
    }
}

struct KeyOptions: ParsableArguments {
    @Flag(help: "Create the device key in the TPM, or fail.") var tpm = false

    @Flag(help: "Accept a server of 2016: enroll without a device key.") var oldServer = false
}

import ArgumentParser
import MPin

/// Leads out of BLOCKED, revoked and expired: a new registration beside the old one, which goes only when the new one
/// has logged in.
struct Recover: Command {
    static let configuration = CommandConfiguration(
        abstract: "Replace a blocked, revoked or expired registration by a new one.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var code: CodeOptions

    @Option(name: [.long, .customLong("new-pin-file")], help: "A file with the new PIN, or - for standard input.")
    var pinFile: String?

    @Option(name: .long, help: "How the server lists this machine; the old name unless given.")
    var device: String?

    func work() throws(CommandFailure) -> Outcome {
        let chosen = try Enrolment(common)
        let old = try chosen.existing(in: chosen.open())
        var options = common
        options.server = old.backend
        options.identity = old.identity
        let enrolment = try Enrolment(options)
        try discardLeftovers(enrolment)
        let code = try code.value(common)
        if code == nil, old.state == .blocked, try !isStaged(enrolment) { return try lift(enrolment) }

        var staged = try enrolment.open(.staging, create: true)
        let source = PINSource(file: pinFile, flag: "--pin-file", mayAsk: !common.noInput && !common.json)
        let (user, pin) = try enrolment.register(
            &staged, device: device ?? (old.deviceName.isEmpty ? nil : old.deviceName),
            code: { code }, pin: source)
        let replaced: String?
        do throws(MPinError) { replaced = try staged.adopt(user) } catch { throw CommandFailure(error) }

        let isRevoked = replaced.map { revoke($0, enrolment, pin) } ?? false
        var lines = ["\(user.identity) is recovered: the new registration has logged in and replaced the old one."]
        if !isRevoked {
            lines.append("The server could not be told to revoke the old one; its administrator can.")
        }
        var members = enrolment.description(of: user)
        members["oldRevoked"] = .flag(isRevoked)
        return Outcome(report: Report(lines, members))
    }

    /// Clears away what a change of the PIN or a recovery that was cut short has left.
    private func discardLeftovers(_ enrolment: Enrolment) throws(CommandFailure) {
        var staged: MPin
        do throws(CommandFailure) { staged = try enrolment.open(.staging) } catch
            where error.exitStatus == .notEnrolled
        {
            return
        }
        do throws(MPinError) { try staged.discardLeftovers() } catch { throw CommandFailure(error) }
    }

    /// Whether an earlier recovery has got as far as a registration of its own.
    private func isStaged(_ enrolment: Enrolment) throws(CommandFailure) -> Bool {
        do throws(CommandFailure) { return try enrolment.registration(in: enrolment.open(.staging)) != nil } catch
            where error.exitStatus == .notEnrolled
        { return false }
    }

    /// Without a code there is nothing to register anew with; but the administrator may have lifted the block, and then
    /// the old PIN logs in again.
    private func lift(_ enrolment: Enrolment) throws(CommandFailure) -> Outcome {
        var client = try enrolment.open()
        let user = try enrolment.existing(in: client)
        let source = PINSource(file: pinFile, flag: "--pin-file", mayAsk: !common.noInput && !common.json)
        let pin = try source.pin(prompt: "PIN for \(user.identity), in case the administrator has unblocked it: ")
        do throws(MPinError) {
            try client.selectBackend(user.backend)
            try client.liftBlock(of: user, pin: pin)
        } catch { throw CommandFailure(error, state: user.state) }
        return Outcome(
            report: Report(
                ["The server has lifted the block: \(user.identity) logs in with the PIN as before."],
                enrolment.description(of: user)))
    }

    /// Has the server revoke the old registration; the new one is in force whatever comes of it.
    private func revoke(_ mpinID: String, _ enrolment: Enrolment, _ pin: NewPIN) -> Bool {
        do {
            var client = try enrolment.open()
            let user = try enrolment.existing(in: client)
            try client.selectBackend(user.backend)
            let pending = try client.startAuthentication(user)
            try pin.withPIN { pin throws(MPinError) in try client.revoke(registration: mpinID, by: pending, pin: pin) }
            return true
        } catch {
            return false
        }
    }
}

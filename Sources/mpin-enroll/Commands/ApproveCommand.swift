// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CMPinSystem
import Console
import MPin
import MPinWire

/// `approve`: signs in a cross-device session by its access number or QR code.
struct ApproveCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Approve a sign-in request by its access number.",
        discussion: "Example: mpin-enroll approve 424 1703")

    @OptionGroup(title: HelpText.common) var common: CommonOptions
    @OptionGroup var pin: PINOptions

    @Argument(help: "Access number, with or without spaces, or the address in the QR code.")
    var number: [String]

    @Flag(help: "Wait for Enter or end of input, then sign out the session.")
    var thenLogOut = false

    var order: AgentOrder {
        AgentOrder(
            command: MPIN_AGENT_APPROVE, options: thenLogOut ? MPIN_AGENT_LOG_OUT : 0,
            value: number.joined(separator: " "), pins: AgentPINs(source))
    }

    private var source: PINSource { pin.source(common, for: "approve NUMBER") }

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var client = try target.open()
        let user = try target.usable(in: client)
        guard let code = AccessCode(number.joined(separator: " ")) else { throw ApproveCommand.malformed }
        let details = try sessionDetails(of: code, for: user, &client)
        for line in SessionDescription(details).lines { Terminal.say(line) }
        try approve(code, as: user, target, &client)

        var members = target.description(of: user)
        members["asking"] = .object(SessionDescription(details).members)
        members["canLogout"] = .flag(client.canLogout(user))
        var lines = ["The session is signed in as \(user.identity)."]
        if thenLogOut {
            let isEnded = try logOut(user, &client)
            members["loggedOut"] = .flag(isEnded)
            lines.append("The session is signed out again.")
        }
        return CommandOutcome(report: Report(lines + TargetAccount.warnings(user), members))
    }

    /// Checks the access number and asks the server for the session's details, before the PIN is asked for.
    private func sessionDetails(
        of code: AccessCode, for user: User, _ client: inout MPinClient
    ) throws(CommandFailure) -> SessionDetails {
        do throws(MPinError) {
            try client.setBackend(of: user)
            if case .number(let number) = code { try client.checkAccessNumber(number) }
        } catch { throw CommandFailure(error, at: user.backend) }
        let details: SessionDetails
        do throws(MPinError) { details = try client.getSessionDetails(code.text) } catch {
            throw error.cause == .unknownSession
                ? ApproveCommand.unknown(user) : CommandFailure(error, at: user.backend)
        }
        // A server that supports `requester` sends it for every session that it knows.
        if client.offers(.requester), details.requester == nil { throw ApproveCommand.unknown(user) }
        return details
    }

    /// Starts the login, so that the waiting browser shows the identity, then asks for the PIN and finishes the login.
    private func approve(
        _ code: AccessCode, as user: User, _ target: TargetAccount, _ client: inout MPinClient
    ) throws(CommandFailure) {
        let pending: PendingAuthentication
        do throws(MPinError) { pending = try client.startAuthentication(user, accessCode: code.text) } catch {
            throw CommandFailure(error, of: user)
        }
        let entry = try target.currentPIN(client, of: user, source)
        // Failures that are not about the PIN have their own messages.
        let refusal = try target.finish(pending, &client, entry) { client, pending, pin throws(MPinError) in
            do throws(MPinError) {
                try client.finishAuthenticationAN(pending, pin: pin, accessNumber: code.text)
                return MPinError?.none
            } catch {
                let isLate = error.code == .requestExpired && error.pinChecked != .no
                guard isLate || error.code == .incorrectAccessNumber else { throw error }
                return error
            }
        }
        if let refusal { throw ApproveCommand.failure(refusal, user) }
    }

    private static func failure(_ error: MPinError, _ user: User) -> CommandFailure {
        switch error.code {
        case .requestExpired:
            CommandFailure(
                .tryLater, error.code.name.text, "The PIN is right, but the session did not answer in time.",
                advice: Advice("Check the session: it may still sign in. Otherwise, get a new number."))
        case .incorrectAccessNumber: unknown(user)
        default: CommandFailure(error, of: user)
        }
    }

    private func logOut(_ user: User, _ client: inout MPinClient) throws(CommandFailure) -> Bool {
        guard client.canLogout(user) else {
            throw CommandFailure(
                .protocolFault, "FLOW_ERROR", "The session is signed in, but cannot be signed out from this device.",
                advice: Advice("Sign out in the session itself."))
        }
        Terminal.say("Signed in as \(user.identity). Press Enter to sign that session out.")
        Terminal.waitForEnter()
        guard client.logout(user) else {
            throw CommandFailure(
                .unavailable, "NETWORK_ERROR", "The session could not be signed out from this device.",
                advice: Advice("Sign out in the session itself."))
        }
        return true
    }

    static var malformed: CommandFailure {
        CommandFailure(
            .badInput, "INCORRECT_ACCESS_NUMBER", "This is neither an access number nor the address in a QR code.",
            advice: Advice("Type the digits as shown, or the whole address."))
    }

    static func unknown(_ user: User) -> CommandFailure {
        CommandFailure(
            .badInput, "INCORRECT_ACCESS_NUMBER",
            "\(user.backend) has no sign-in request with this number, or it has expired.",
            advice: Advice("Check the digits, or get a new number."))
    }
}

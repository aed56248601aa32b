// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinAgent

/// Answers the questions of actions: from files, which only this process reads, or from the terminal.
///
/// It keeps the PIN for commands that need two logins.
final class PINDialog: ActionCaller {
    private let current: PINSource?
    private let new: PINSource?
    var code: CodeSource?
    /// What the prompt for the current PIN begins with.
    private let beginning: String
    /// Where the PIN is valid, if the prompt says that.
    var place: String?
    var beforePIN: () throws(CommandFailure) -> Void = {}
    private var pin: NewPIN?
    private var newPIN: NewPIN?
    /// Why a question was not answered.
    private var failure: CommandFailure?
    /// The session whose details were shown.
    private(set) var session: SessionSummary?

    init(_ current: PINSource? = nil, new: PINSource? = nil, code: CodeSource? = nil, beginning: String = "") {
        (self.current, self.new, self.code, self.beginning) = (current, new, code, beginning)
    }

    func ask(_ question: ActionQuestion) throws(ActionFailure) -> PIN {
        do throws(CommandFailure) { return try answer(question) } catch {
            failure = error
            throw ActionFailure(.unanswered)
        }
    }

    /// The failure of an action, or of the question at which it ended.
    func completed(_ other: CommandFailure) -> CommandFailure {
        guard let failure else { return other.code == "NOT_CONFIRMED" ? other.advising(afterCanceling) : other }
        return failure
    }

    private var afterCanceling: Advice { current?.afterCanceling ?? CommandFailure.checkState }

    func answer(_ question: ActionQuestion) throws(CommandFailure) -> PIN {
        switch question.kind {
        case .pin:
            try prepare()
            if let asking = question.session {
                for line in asking.lines { Terminal.say(line) }
                session = asking
            }
            if let pin { return try pin.copy() }
            guard let current else { throw AgentCall.senseless }
            try beforePIN()
            let tries = question.attemptsLeft.map { " (\($0) \($0 == 1 ? "try" : "tries") left)" } ?? ""
            let place = place.map { " on \($0)" } ?? ""
            let typed = NewPIN(try current.pin(prompt: beginning + "PIN for \(question.identity)\(place)\(tries): "))
            pin = typed
            return try typed.copy()
        case .lastTry, .lastTryNow:
            guard let current else { throw AgentCall.senseless }
            // A file cannot be mistyped.
            if current.file != nil, let pin { return try pin.copy() }
            return try current.pin(
                question.kind == .lastTry
                    ? "Last try: a wrong PIN may block the enrollment of \(question.identity)."
                    : "Last try: a wrong PIN may block \(question.identity). This PIN was not checked.",
                prompt: "Retype the PIN (press Enter to cancel): ")
        case .newPIN:
            guard let new else { throw AgentCall.senseless }
            let prompt = "New PIN for \(question.identity) on \(HostName.here), 4 to 6 digits: "
            let chosen = if let newPIN { newPIN } else { NewPIN(try new.newPIN(prompt: prompt)) }
            newPIN = chosen
            return try chosen.copy()
        case .code:
            guard let code = try code?.value(for: question.identity, isNeeded: true) else {
                throw CommandFailure.codeNeeded
            }
            guard case .invitation(let symbols) = code else { throw CodeSource.malformed }
            return try NewPIN.reading { () throws(MPinError) in try PIN(copying: symbols.span) }
        case .enter:
            Terminal.say("Signed in as \(question.identity). Press Enter to sign that session out.")
            Terminal.waitForEnter()
            return try NewPIN.reading { () throws(MPinError) in try PIN() }
        }
    }

    /// Checks before the first attempt that a new PIN is available and, if it comes from a file, is not weak.
    func prepare() throws(CommandFailure) {
        guard let new, newPIN == nil else { return }
        try current?.require()
        try new.require()
        if new.file != nil { newPIN = NewPIN(try new.newPIN(prompt: "")) }
    }
}

// The server's description of a session that waits for a login, shown before the user types a PIN for it.
extension SessionSummary {
    var lines: [String] {
        var lines = application.map { ["Application: \($0)"] } ?? []
        switch isVerified {
        case true:
            lines.append("Requested by: \(host ?? "a host") (verified by the server)")
            lines += [
                service.map { "Service: \($0)" }, account.map { "Account: \($0)" }, address.map { "From: \($0)" },
            ].compactMap { $0 }
        case false: lines.append("Requested by: an unverified client\(address.map { " (\($0))" } ?? "")")
        case nil: lines.append("The server does not say who requested it.")
        }
        return lines + ["Continue only if you see this number on your own screen."]
    }

    var members: Members {
        var members: Members = [
            "application": application ?? "", "verified": isVerified ?? false,
        ]
        for (name, text) in [("host", host), ("account", account), ("service", service), ("address", address)] {
            if let text { members[name] = text }
        }
        return members
    }
}

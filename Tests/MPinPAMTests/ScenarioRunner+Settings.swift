// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinConfiguration
import MPinPAM
import MPinWire

extension ScenarioRunner {
    /// Settles one thing of the host, the machine or the server, as Tests/Scenarios/README.md lists them.
    ///
    /// - Returns: false for a setting that the runner does not know.
    func settle(_ name: String, _ value: String) -> Bool {
        let words = value.split(separator: " ").map(String.init)
        let some: String? = value == "-" ? nil : value
        switch name {
        case "arguments": script.settings.arguments = words
        case "config": script.settings.file.append(value)
        case "user": script.settings.user = some
        case "service": script.settings.service = value
        case "rhost": script.settings.remoteHost = some
        case "silent": script.settings.isSilent = value == "yes"
        case "aged": script.settings.wantsAgedOnly = value == "yes"
        case "first-pass": script.settings.firstPass = some
        case "absent": script.settings.absence = some
        case "length": script.registration.pinLength = Int(value)
        case "left": script.registration.attemptsLeft = Int(value)
        case "typing": script.typingTime = Int64(value) ?? 0
        case "handle":
            script.memory = [:]
            script.kept = nil
            // Another program is another process too, unless the scenario has it serve the same connection.
            script.registration.notes.serving += "+"
        case "serving": script.registration.notes.serving = value
        case "in-flight": script.registration.notes.inFlight = Int(value) ?? 0
        case "stalled": script.registration.notes.stalled = Int(value) ?? 0
        case "in-flight-for": script.registration.notes.endsAfter = Int64(value)
        case "notes": script.registration.notes.isWritable = value == "writable"
        case "left-meanwhile": script.registration.attemptsLeftMeanwhile = Int(value)
        case "socket": script.settings.serverIsAbsent = value == "absent"
        case "state":
            guard let state = UserState(name: ByteText(value)) else { return false }
            script.registration.state = state
        case "refusal":
            script.registration.lastRefusal = MPinStatus.allCases.first { "\($0.name)" == value }
        case "agent": return settleAgent(value)
        case "caller": return settleCaller(words)
        case "callers":
            script.settings.service = "login"
            if value == "stranger" { return settleCaller(["real=0", "started=-", "account=1000"]) }
        case "server": return settleServer(words)
        default: return false
        }
        return true
    }

    private func settleCaller(_ words: [String]) -> Bool {
        var caller = Caller(realUID: 0, startingUID: 0, place: .local)
        var hasStarter = false
        var session: String?
        for word in words {
            let parts = word.split(separator: "=").map(String.init)
            guard parts.count == 2 else { return false }
            switch parts[0] {
            case "real": caller.realUID = UInt32(parts[1]) ?? 0
            case "started":
                hasStarter = UInt32(parts[1]) != nil
                caller.startingUID = UInt32(parts[1]) ?? 0
            case "account": caller.accountUID = UInt32(parts[1])
            case "name": caller.accountName = ByteText(parts[1])
            case "controls": caller.controlsProcess = parts[1] == "yes"
            case "another": caller.isAnotherUser = parts[1] == "yes"
            case "session": session = parts[1]
            default: return false
            }
        }
        if !hasStarter { caller.startingUID = caller.realUID }
        switch session ?? (caller.startingUID == 0 ? "none" : "local") {
        case "local": caller.place = .local
        case "remote": caller.place = .remote(reason: "session 5 came over ssh")
        case "none": caller.place = .outside(reason: "it belongs to no login session")
        default: return false
        }
        script.settings.caller = caller
        return true
    }

    private func settleAgent(_ value: String) -> Bool {
        switch value {
        case "absent": script.settings.agent = .absent
        case "fails": script.settings.agent = .failed
        default:
            guard let code = ReturnCode.allCases.first(where: { "\($0.name)" == value }) else { return false }
            script.settings.agent = .ended(code)
        }
        return true
    }

    private func settleServer(_ words: [String]) -> Bool {
        guard let status = MPinStatus.allCases.first(where: { "\($0.name)" == words.first }) else { return false }
        var answer = ScriptedRegistration.ServerAnswer()
        var left: Int?
        var cause = MPinError.Cause.server
        var httpStatus: Int?
        var checked = status == .incorrectPIN ? MPinError.PINChecked.yes : .no
        var forges = false
        for word in words.dropFirst() {
            let parts = word.split(separator: "=").map(String.init)
            switch (parts[0], parts.last) {
            case ("left", let number?): left = Int(number)
            case ("checked", "no"): checked = .no
            case ("checked", "maybe"): checked = .maybe
            case ("checked", "yes"): checked = .yes
            case ("origin", "caller"): cause = .caller
            case ("origin", "unproven"): cause = .unproven
            case ("http", let number?): httpStatus = Int(number)
            case ("wrong", let number?): answer.wrong = Int(number)
            case ("blocks", _): answer.blocks = true
            case ("sentence", "forged"): forges = true
            case ("ms", let number?): answer.milliseconds = Int64(number) ?? 0
            default: return false
            }
        }
        answer.left = left
        if status != .ok {
            let sentence =
                forges
                ? Self.forged : httpStatus.flatMap { Self.directSentence($0) } ?? Self.sentence(status, cause)
            answer.error = MPinError(
                status, sentence, attemptsLeft: left, pinChecked: checked, httpStatus: httpStatus,
                cause: httpStatus == 404 ? .unknownDevice : cause)
        }
        script.registration.answers.append(answer)
        return true
    }

    /// A sentence that would end its field and its line in the log.
    private static var forged: Constant { "no\" result=OK reason=\"\nuser=alice result=OK" }

    /// The SDK's error for a direct login that was refused so.
    private static func directSentence(_ httpStatus: Int) -> Constant? {
        switch httpStatus {
        case 404: MPinError.unknownDevice
        case 408: "The server refused the time of this request: check this machine's clock."
        default: nil
        }
    }

    /// The message to the user, if the module prints that of the failure.
    private static func sentence(_ status: MPinStatus, _ cause: MPinError.Cause) -> Constant {
        switch (status, cause) {
        case (_, .caller): "This process has too many open files to reach the server: see ulimit -n."
        case (.networkError, _): "The server cannot be reached."
        // The module's message goes on after these.
        case (.requestExpired, _), (.incorrectAccessNumber, _), (.httpRequestError, _), (.badUserAgent, _),
            (.httpServerError, _), (.responseParseError, _), (.identityNotVerified, _):
            "scripted."
        default: "scripted"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Console
import PAMStack

/// The output of `pam show`: a service's stacks and the forecast, as lines and as JSON members.
struct StackTable {
    let stacks: ServiceStacks
    let forecast: StackForecast
    /// Why the PIN is no protection, because the program's other service does not ask for it in the same way.
    let difference: (sentence: String, advice: Advice)?

    /// The errors in the service's files.
    private var faults: [String] {
        let mistaken = [StackEntry.Facility.auth, .account].flatMap { stacks.entries($0) }.compactMap(\.fault)
        let obstacles = MachineStacks.own(stacks).compactMap { entry -> String? in
            guard case .module(_, let arguments) = entry.step else { return nil }
            let ofLine = MachineStacks.obstacle(arguments, onlyArguments: true).map {
                "\(entry.place.file) line \(entry.place.line): \($0)."
            }
            return ofLine ?? MachineStacks.obstacle(arguments, onlyArguments: false).map { $0 + "." }
        }
        return (stacks.faults + mistaken).map(\.sentence) + Set(obstacles).sorted()
            + [difference?.sentence].compactMap { $0 }
    }

    private var examination: ServiceExamination {
        ServiceExamination(stacks: stacks, own: MachineStacks.own(stacks), forecast: forecast)
    }

    /// The logins to which the table does not apply.
    private var exception: String? { examination.exception }

    private var inThisSession: [String] { examination.inThisSession }

    /// Why M-Pin's module cannot be loaded.
    private var moduleFault: Finding? {
        for case .module(let module, _) in MachineStacks.own(stacks).map(\.step) {
            if let fault = ModuleExamination.fault(module) { return fault }
        }
        return nil
    }

    /// The hint for the fault or the double line that is reported.
    var advice: Advice? {
        if let moduleFault { return moduleFault.advice }
        if let difference { return difference.advice }
        let own = OwnLines(stacks)
        return own.isDouble ? own.remedy : nil
    }

    var members: Members {
        var members: Members = [
            "service": stacks.name, "file": stacks.file,
            "auth": stacks.entries(.auth).map(StackTable.member),
            "account": stacks.entries(.account).map(StackTable.member),
            "forecast":
                LoginCase.all.map { login in
                    [
                        "pin": login.pin.rawValue, "password": login.isPasswordRight ? "right" : "wrong",
                        "result": forecast.verdict(of: login).rawValue,
                        "codes": forecast.results(of: login).map(\.name).sorted().joined(separator: ","),
                    ]
                }, "accountResult": forecast.accountVerdict.rawValue,
        ]
        let faults = faults + [moduleFault?.sentence].compactMap { $0 }
        if !faults.isEmpty { members["faults"] = faults }
        if !MachineStacks.own(stacks).isEmpty, let exception { members["exception"] = exception }
        if !inThisSession.isEmpty { members["thisSession"] = inThisSession.joined(separator: " ") }
        return members
    }

    private static func member(_ entry: StackEntry) -> Members {
        var member: Members = [
            "file": entry.place.file, "line": entry.place.line, "control": entry.shownControl,
            "level": entry.level,
        ]
        switch entry.step {
        case .module(let name, let arguments):
            member["module"] = name
            member["arguments"] = arguments.joined(separator: " ")
        case .failure(let reason): member["fault"] = reason
        case .substack: member["substack"] = true
        }
        return member
    }

    /// - Parameter columns: the maximum width.
    func lines(columns: Int) -> [String] {
        var lines: [String] = []
        if stacks.file == nil { lines.append("There is no service '\(stacks.name)', so the service 'other' applies.") }
        if stacks.isBroken { lines.append("libpam cannot read this service, so it refuses every login.") }
        lines += faults
        if let moduleFault { lines.append(moduleFault.sentence) }
        for facility in [StackEntry.Facility.auth, .account] {
            lines.append(facility == .auth ? "auth: who the user is" : "account: whether the user may log in")
            lines += stacks.entries(facility).flatMap { line(of: $0, columns) }
            if stacks.entries(facility).isEmpty { lines.append("  no lines, so it refuses every login") }
        }
        return lines + [""] + table
    }

    private func line(of entry: StackEntry, _ columns: Int) -> [String] {
        let file = entry.place.file.split(separator: "/").last.map(String.init) ?? entry.place.file
        let place = "  \(file):\(entry.place.line)"
        let indentation = String(repeating: "  ", count: entry.level)
        let step =
            switch entry.step {
            case .module(let name, let arguments): ([entry.shownControl, name] + arguments).joined(separator: " ")
            case .failure(let reason): "fails: \(reason)"
            case .substack: "substack"
            }
        let padding = String(repeating: " ", count: max(2, 22 - place.count))
        let whole = place + padding + indentation + step
        guard whole.count > columns else { return [whole] }
        return [place] + Display.wrapped(step, columns: columns, indentation: 4)
    }

    /// How logins will end: a row for each outcome of the PIN.
    private var table: [String] {
        guard !MachineStacks.own(stacks).isEmpty else {
            let verdicts = [true, false].map { forecast.verdict(of: LoginCase(.right, isPasswordRight: $0)).rawValue }
            return [
                "M-Pin is not used.", "right password   \(verdicts[0])", "wrong password   \(verdicts[1])",
            ]
        }
        let rows = LoginCase.PINState.allCases.map { pin in
            [StackTable.name(pin)]
                + [true, false].map { forecast.verdict(of: LoginCase(pin, isPasswordRight: $0)).rawValue }
        }
        let own = OwnLines(stacks)
        return StackTable.aligned([["PIN", "right password", "wrong password"]] + rows) + [exception].compactMap { $0 }
            + inThisSession
            + (own.isDouble ? [own.sentence] : [])
    }

    private static func aligned(_ rows: [[String]]) -> [String] {
        rows.map { row in
            zip(row, [16, 16, 0]).map { cell, width in cell + String(repeating: " ", count: max(0, width - cell.count))
            }.joined()
        }
    }

    private static func name(_ pin: LoginCase.PINState) -> String {
        switch pin {
        case .right: "right"
        case .wrong: "wrong"
        case .unreachable: "server down"
        case .misconfigured: "misconfigured"
        case .notEnrolled: "not enrolled"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPinConfiguration
import PAMStack

/// Checks whether the services that ask for the PIN let in exactly the users that they should.
struct StackExamination {
    private(set) var findings: [Finding] = []
    /// Services that let every user in, whether they ask for the PIN or not.
    private(set) var openings: [Finding] = []
    private(set) var services: [String] = []
    /// Of those, the services used over the network, where M-Pin asks for no PIN.
    private(set) var passedOver: Set<String> = []
    /// The services that take the PIN.
    var asking: [String] { services.filter { !passedOver.contains($0) } }
    /// M-Pin's module, as the stacks name it.
    private(set) var modules: Set<String> = []

    init() {
        let machine = MachineStacks(onlyArguments: true)
        // The services without problems, by what the PIN does in them.
        var inOrder: [Meaning: [String]] = [:]
        for name in machine.services {
            let stacks = machine.reader.service(name)
            if let path = stacks.unreadable.first {
                let failure = MachineStacks.unreadable(path)
                findings.append(Finding("stacks", .unknown, failure.message, advice: failure.advice))
                continue
            }
            let own = MachineStacks.own(stacks)
            let service = ServiceExamination(stacks: stacks, own: own, forecast: machine.forecast(stacks))
            let opening = service.opening
            if let opening { openings.append(opening) }
            // A service without auth lines uses those of 'other', which is one of the services.
            guard own.contains(where: { stacks.files.contains($0.place.file) }) else { continue }
            services.append(name)
            for case .module(let module, _) in own.map(\.step) { modules.insert(module) }
            if service.isPassedOver { passedOver.insert(name) }
            // Without the module, no line works as written, and none of them needs a change.
            let isThere = opening == nil && modules.allSatisfy { ModuleExamination.isLoadable($0) }
            let found = !isThere ? [] : service.faults.isEmpty ? service.warnings : service.faults
            if isThere, found.isEmpty { inOrder[Meaning(service), default: []].append(name) }
            findings += found
        }
        findings += ProgramServices.all(machine).compactMap(\.difference).map {
            Finding("stacks", .fault, $0.sentence, advice: $0.advice)
        }
        for meaning in Meaning.allCases {
            guard let names = inOrder[meaning] else { continue }
            findings.append(Finding("stacks", .ok, meaning.sentence(names)))
        }
        if findings.isEmpty, services.isEmpty, openings.isEmpty {
            findings = [
                Finding(
                    "stacks", .warning, "No service asks for the PIN yet.",
                    advice: Advice("Preview the change for sudo", "pam enable sudo"))
            ]
        }
    }

    /// What the PIN does in a service.
    private enum Meaning: CaseIterable {
        case instead, special, passedOver

        init(_ service: ServiceExamination) {
            self = service.isPassedOver ? .passedOver : service.forecast.takesPINInsteadOfPassword ? .instead : .special
        }

        func sentence(_ names: [String]) -> String {
            let all = names.joined(separator: ", "), isOne = names.count == 1
            return switch self {
            case .instead: "\(all) \(isOne ? "asks" : "ask") for the PIN instead of the password."
            case .special: "\(all) \(isOne ? "asks" : "ask") for the PIN. For details, see 'mpin-enroll pam show'."
            case .passedOver: "M-Pin asks for no PIN over the network, so the password decides in \(all)."
            }
        }
    }
}

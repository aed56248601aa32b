// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPinConfiguration
import PAMStack
import SystemFiles

/// The services that refuse users who are not enrolled in a store.
struct DemandingServices {
    private let all: [OwnLines]

    init(store: String) {
        let machine = MachineStacks(onlyArguments: true, assumesModule: true)
        all = machine.services.map { machine.reader.service($0) }.filter {
            $0.unreadable.isEmpty && DemandingServices.demands($0, machine, store)
        }.map(OwnLines.init)
    }

    private static func demands(_ stacks: ServiceStacks, _ machine: MachineStacks, _ store: String) -> Bool {
        let own = MachineStacks.own(stacks)
        // A service without auth lines uses those of 'other', which is one of the services.
        guard own.contains(where: { stacks.files.contains($0.place.file) }), own.contains(where: { asks($0, store) })
        else { return false }
        let forecast = machine.forecast(stacks)
        func refuses(_ pin: LoginCase.PINState) -> Bool {
            forecast.verdict(of: LoginCase(pin, isPasswordRight: true)) == .refuses
        }
        let isPassedOver = ServiceExamination(stacks: stacks, own: own, forecast: forecast).isPassedOver
        return refuses(.notEnrolled) && !refuses(.right) && !isPassedOver
    }

    /// Whether a line with M-Pin's module uses this store.
    private static func asks(_ entry: StackEntry, _ store: String) -> Bool {
        guard case .module(_, let arguments) = entry.step,
            case .success(let configuration) = MachineStacks.configuration(arguments)
        else { return false }
        guard configuration.store != store else { return true }
        guard let first = FileIdentity(of: configuration.store) else { return false }
        return first == FileIdentity(of: store)
    }

    var isEmpty: Bool { all.isEmpty }

    var names: String { all.map(\.stacks.name).joined(separator: ", ") }

    /// How to stop all of them asking for the PIN.
    func advice(_ options: CommonOptions) -> Advice {
        let removable = all.filter(\.isRemovable)
        // One command is enough for both services of a program.
        let first = removable.enumerated().filter { index, own in
            !removable[..<index].contains { ProgramServices.areOne($0.stacks.name, own.stacks.name) }
        }
        let commands = first.map { $0.element.removal(options) }.reduce(into: [String]()) { known, command in
            if !known.contains(command) { known.append(command) }
        }
        let written = all.filter { !$0.isRemovable }.map(\.places).joined(separator: ", ")
        guard !commands.isEmpty else {
            let name = all.first.map { CommonOptions.quoted($0.stacks.name) } ?? "sudo"
            return Advice("First remove these lines: \(written). Check how logins will end", "pam show \(name)")
        }
        let rest = written.isEmpty ? "" : "remove these lines: \(written). Then "
        return Advice("First \(rest)turn off the PIN: \(commands.joined(separator: " && "))")
    }
}

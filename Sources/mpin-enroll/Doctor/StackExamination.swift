import Glibc
import MPinConfiguration
import PAMStack

/// The services that ask for the PIN: whether they let the right people in, and nobody else.
struct StackExamination {
    private(set) var findings: [Finding] = []
    /// The services that ask for the PIN.
    private(set) var services: [String] = []
    /// M-Pin's module, as their stacks name it.
    private(set) var modules: Set<String> = []

    init() {
        let machine = MachineStacks(onlyArguments: true)
        for name in machine.services {
            let stacks = machine.reader.service(name)
            let own = MachineStacks.own(stacks)
            guard !own.isEmpty, stacks.file != nil else { continue }
            services.append(name)
            for case .module(let module, _) in own.map(\.step) { modules.insert(module) }
            findings += StackExamination.findings(stacks, own, machine.forecast(stacks))
        }
        if findings.isEmpty {
            findings = [
                Finding(
                    "stacks", .warning, "No service asks for the PIN yet.",
                    advice: Advice("To have sudo ask for it", "pam enable sudo"))
            ]
        }
    }

    private static func findings(
        _ stacks: ServiceStacks, _ own: [StackEntry], _ forecast: StackForecast
    ) -> [Finding] {
        let service = ServiceExamination(stacks: stacks, own: own, forecast: forecast)
        let found = service.faults + (service.faults.isEmpty ? service.warnings : [])
        guard found.isEmpty else { return found }
        if service.isPassedOver {
            return [
                Finding(
                    "stacks", .ok, "\(stacks.name) is used over the network, where the password decides as before.")
            ]
        }
        let meaning =
            forecast.takesPINInsteadOfPassword
            ? "the PIN instead of the password" : "the PIN, as 'mpin-enroll pam show \(stacks.name)' says"
        return [Finding("stacks", .ok, "\(stacks.name) asks for \(meaning).")]
    }
}

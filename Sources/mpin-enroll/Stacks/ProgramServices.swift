// SPDX-License-Identifier: Apache-2.0
import Console
import PAMStack
import SystemFiles

/// The PAM services of one program.
///
/// Some programs use another service for a login shell. A stack for only one of the two is no protection, because users
/// choose which one they use.
struct ProgramServices {
    /// The programs with two services, and the commands that use them.
    private static let table: [[(name: String, command: String)]] = [
        [("sudo", "sudo"), ("sudo-i", "sudo -i")], [("su", "su"), ("su-l", "su -l")],
    ]

    let service: String
    /// The services of its program that have a file, in the order of the table.
    let names: [String]

    /// - Parameter service: the name of a service, in lower case.
    init(_ service: String, _ machine: MachineStacks) {
        self.service = service
        let program = ProgramServices.table.first { $0.contains { $0.name == service } }?.map(\.name) ?? [service]
        names = program.filter { machine.reader.path(of: $0) != nil }
    }

    static func all(_ machine: MachineStacks) -> [ProgramServices] {
        table.compactMap(\.first).map { ProgramServices($0.name, machine) }.filter { $0.names.count > 1 }
    }

    static func areOne(_ service: String, _ other: String) -> Bool {
        table.contains { Set($0.map(\.name)).isSuperset(of: [service, other]) }
    }

    /// Their names, for a sentence.
    var text: String { names.joined(separator: " and ") }

    /// Why the PIN of one service does not protect the other; `nil` if both ask for it in the same way, or none does.
    var difference: (sentence: String, advice: Advice)? {
        // The answer does not depend on whether the module is installed.
        let machine = MachineStacks(onlyArguments: true, assumesModule: true)
        let services = names.map { machine.reader.service($0) }
        let own = services.map(OwnLines.init)
        guard services.allSatisfy(\.unreadable.isEmpty), let asking = own.first(where: { !$0.lines.isEmpty }) else {
            return nil
        }
        let name = asking.stacks.name
        if let silent = own.first(where: \.lines.isEmpty)?.stacks.name {
            let words = ["pam", "enable", name, "--recipe", (asking.recipe ?? .instead).rawValue]
            return (
                "'\(ProgramServices.command(silent))' asks for no PIN: its service is \(silent), and only \(name) asks "
                    + "for the PIN.",
                asking.recipe == nil
                    ? Advice("Add the lines of /etc/pam.d/\(name) to /etc/pam.d/\(silent)")
                    : Advice("Make both ask for it", words.joined(separator: " "))
            )
        }
        let verdicts = services.map { stacks in
            let forecast = machine.forecast(stacks)
            return LoginCase.all.map { forecast.verdict(of: $0) }
        }
        guard let other = zip(services, verdicts).first(where: { $1 != verdicts[0] })?.0.name else { return nil }
        return (
            "'\(ProgramServices.command(name))' and '\(ProgramServices.command(other))' use different services, "
                + "\(name) and \(other), which ask for the PIN in different ways.",
            Advice("Compare the services: \(name)", "pam show \(name)").adding("and \(other)", "pam show \(other)")
        )
    }

    private static func command(_ service: String) -> String {
        table.joined().first { $0.name == service }?.command ?? service
    }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import PAMStack

struct PAMShowCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a service's PAM stack and predict how logins will end.")

    @Argument(help: "The PAM service, such as sudo: a file in /etc/pam.d.", completion: .services) var service: String
    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
        let machine = MachineStacks()
        let stacks = try machine.service(service)
        let table = StackTable(
            stacks: stacks, forecast: machine.forecast(stacks),
            difference: ProgramServices(stacks.name, machine).difference)
        return Report(
            table.lines(columns: common.display(STDOUT_FILENO).columns), table.members, next: table.advice)
    }
}

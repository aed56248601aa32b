// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CMPinSystem
import Console
import Glibc
import MPin
import MPinWire

/// `devices`: lists and revokes the user's own devices at the server.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List your devices at the server, or revoke one.",
        subcommands: [List.self, Revoke.self], defaultSubcommand: List.self)

    struct List: AgentCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List your devices at the server.")

        @OptionGroup(title: HelpText.common) var common: CommonOptions
        @OptionGroup var pin: PINOptions

        var order: AgentOrder {
            var order = AgentOrder(command: MPIN_AGENT_DEVICES, pins: AgentPINs(source))
            guard !common.json else { return order }
            order.presentation = { lines, common throws(CommandFailure) in
                let rows = lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
                guard rows.allSatisfy({ $0.count == DevicesCommand.columns }) else { throw AgentCall.senseless }
                try Report(DevicesCommand.table(rows), [:]).print(common, isAnswer: true)
            }
            return order
        }

        private var source: PINSource { pin.source(common, for: "devices list") }

        func work() throws(CommandFailure) -> CommandOutcome {
            let target = try TargetAccount(common)
            var client = try target.open()
            let (user, entry, found) = try DevicesCommand.find(&client, target, source)
            var members = target.description(of: user)
            members["devices"] = .list(found.devices.map(DevicesCommand.members))
            members["backupCodes"] = .number(found.backupCodes)
            let rows = found.devices.map { device in
                [
                    String(device.number), device.name.isEmpty ? "-" : device.name, device.state, device.created,
                    device.isCurrent ? "this device" : "",
                ]
            }
            for line in TargetAccount.warnings(user) + target.revokeReplaced(&client, by: user, entry)
            where !common.json {
                Terminal.say(line)
            }
            return CommandOutcome(report: Report(DevicesCommand.table(rows), members), isAnswer: true)
        }
    }

    struct Revoke: AgentCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revoke one of your devices, for example a lost one.")

        @OptionGroup(title: HelpText.common) var common: CommonOptions
        @OptionGroup var pin: PINOptions

        @Argument(help: "Number or name of the device, from 'devices list'.")
        var device: String

        @Flag(help: "Do not ask. Give it twice to revoke the device that you are using.")
        var yes: Int

        func validate() throws {
            // A device without a name can only be chosen by its number.
            guard !legible(device).isEmpty else { throw ValidationError("Give the number or the name of a device.") }
        }

        var order: AgentOrder {
            AgentOrder(
                command: MPIN_AGENT_REVOKE,
                options: (yes >= 1 ? MPIN_AGENT_YES : 0) | (yes >= 2 ? MPIN_AGENT_YES_TWICE : 0),
                value: device, pins: AgentPINs(source), confirmation: Revoke.confirmation)
        }

        private var source: PINSource { pin.source(common, for: "devices revoke \(CommonOptions.quoted(device))") }

        private static let confirmation = "Add --yes. To revoke the device that you are using, add it twice."

        func work() throws(CommandFailure) -> CommandOutcome {
            let target = try TargetAccount(common)
            var client = try target.open()
            let (user, entry, found) = try DevicesCommand.find(&client, target, source)
            let chosen = try choice(found.devices, user.identity)
            try confirm(chosen)
            try target.prove(&client, as: user, entry) { client, pending, pin throws(MPinError) in
                try client.revokeDevice(chosen.number, by: pending, pin: pin)
            }
            var members = target.description(of: user)
            members["revokedDevice"] = .object(DevicesCommand.members(chosen))
            members["revoked"] = .flag(true)
            var lines = ["Device \(DevicesCommand.name(chosen)) is revoked. It can no longer log in."]
            if chosen.isCurrent {
                lines.append("It was this device. Its PIN and its backup codes no longer work.")
            }
            let next: Advice? =
                chosen.isCurrent
                ? Advice("To use this machine again", "recover")
                    .adding("Otherwise, delete its local data", "remove --local-only")
                : found.backupCodes > 0
                    ? Advice("If your backup codes were kept with that device, replace them", "backup-codes") : nil
            return CommandOutcome(report: Report(lines, members, next: next))
        }

        /// The device with this number, or the only one with this name. A revoked one counts only if there is no other.
        /// Invisible characters do not distinguish names, because a device chooses its name.
        private func choice(_ devices: [OwnDevice], _ identity: String) throws(CommandFailure) -> OwnDevice {
            if let numbered = devices.first(where: { String($0.number) == device }) { return numbered }
            let all = devices.filter { legible($0.name) == legible(device) }
            let valid = all.filter { $0.state != "REVOKED" }
            let named = valid.isEmpty ? all : valid
            if named.count == 1 { return named[0] }
            let isUnknown = named.isEmpty
            throw CommandFailure(
                .badInput, isUnknown ? "NO_SUCH_DEVICE" : "AMBIGUOUS_DEVICE",
                isUnknown
                    ? "\(identity) has no device \(device)." : "\(named.count) devices have the name \(device).",
                advice: Advice("Revoke one by its number", "devices revoke NUMBER"),
                details: (isUnknown ? devices : named).map { candidate in
                    "Device \(DevicesCommand.name(candidate)): \(candidate.state), since \(candidate.created)"
                })
        }

        /// Asks for confirmation: once for another device, twice for the one in use.
        private func confirm(_ chosen: OwnDevice) throws(CommandFailure) {
            let name = DevicesCommand.name(chosen)
            try ask("Revoke device \(name)?", chosen, isGiven: yes >= 1)
            guard chosen.isCurrent else { return }
            try ask(
                "It is this device, which can no longer log in afterwards. Revoke it anyway?", chosen,
                isGiven: yes >= 2)
        }

        private func ask(_ question: String, _ chosen: OwnDevice, isGiven: Bool) throws(CommandFailure) {
            guard !isGiven else { return }
            guard common.mayAsk, let terminal = Terminal() else {
                throw CommandFailure(
                    .inputNeeded, "INPUT_NEEDED",
                    "Device \(DevicesCommand.name(chosen)) was not revoked: confirmation is required.",
                    advice: Advice(
                        chosen.isCurrent
                            ? "It is the device that you are using. To revoke it, add: --yes --yes"
                            : "To revoke it, add: --yes"))
            }
            guard terminal.confirms(question + " [y/N] ") else {
                throw CommandFailure(
                    .canceled, "CANCELED", "Nothing was revoked.",
                    advice: Advice("List your devices", "devices list"))
            }
        }
    }

    fileprivate static func find(
        _ client: inout MPinClient, _ target: TargetAccount, _ source: PINSource
    ) throws(CommandFailure) -> (User, PINEntry, OwnDevices) {
        let user = try target.begin(&client, needing: .owner, "device lists")
        let entry = try target.currentPIN(client, of: user, source)
        let found = try target.prove(&client, as: user, entry) { client, pending, pin throws(MPinError) in
            try client.devices(by: pending, pin: pin)
        }
        return (user, entry, found)
    }

    /// The number of cells of a row.
    private static let columns = 5

    /// - Parameter rows: number, name, state, time of enrollment and a remark.
    private static func table(_ rows: [[String]]) -> Table {
        Table(
            heading: ["DEVICE", "NAME", "STATE", "SINCE", ""],
            rows: rows.map { row in
                [Table.Cell(row[0]), Table.Cell(row[1]), .state(row[2]), .time(row[3]), Table.Cell(row[4])]
            })
    }

    /// The number and the name, to follow the word "device".
    fileprivate static func name(_ device: OwnDevice) -> String {
        "\(device.number)" + (device.name.isEmpty ? "" : " (\(device.name))")
    }

    fileprivate static func members(_ device: OwnDevice) -> [String: Report.Value] {
        [
            "number": .number(device.number), "name": .text(device.name), "state": .text(device.state),
            "created": .text(device.created), "current": .flag(device.isCurrent),
        ]
    }
}

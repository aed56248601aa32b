// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPin
import MPinAgent
import MPinWire

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List your devices at the server, or revoke one.",
        subcommands: [List.self, Revoke.self], defaultSubcommand: List.self)

    struct List: AgentCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List your devices at the server.")

        @OptionGroup var pin: PINOptions
        @OptionGroup var common: CommonOptions

        func work() throws(CommandFailure) -> Report {
            let target = try TargetAccount(common)
            let found = try Found(target, common, PINDialog(pin.source(common, for: "devices list")))
            var members = target.description(of: found.user)
            members["devices"] = found.devices.map(DevicesCommand.members)
            members["backupCodes"] = found.backupCodes
            let rows = found.devices.map { device in
                [
                    Table.Cell(String(device.number)), Table.Cell(device.name.isEmpty ? "-" : device.name),
                    .state(device.state), .time(device.created), Table.Cell(device.isCurrent ? "this device" : ""),
                ]
            }
            if !common.json { for line in found.lines { Terminal.say(line) } }
            return Report(Table(heading: ["DEVICE", "NAME", "STATE", "SINCE", ""], rows: rows), members)
        }
    }

    struct Revoke: AgentCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revoke one of your devices, for example a lost one.")

        @OptionGroup var pin: PINOptions

        @Argument(help: "Number or name of the device, from 'devices list'.") var device: String

        @Flag(help: "Do not ask. Give it twice to revoke the device that you are using.") var yes: Int
        @OptionGroup var common: CommonOptions

        func validate() throws {
            // A device without a name can only be chosen by its number.
            guard !legible(device).isEmpty else { throw ValidationError("Give the number or the name of a device.") }
        }

        func work() throws(CommandFailure) -> Report {
            let target = try TargetAccount(common)
            // It keeps the PIN for the second login.
            let dialog = PINDialog(pin.source(common, for: "devices revoke \(CommonOptions.quoted(device))"))
            let found = try Found(target, common, dialog)
            let chosen = try choice(found.devices, found.user.identity)
            try confirm(chosen)
            let answer = try target.logIn("devices revoke", String(chosen.number), common, dialog)
            try answer.require()
            let user = answer.registration
            var members = target.description(of: user)
            members["revokedDevice"] = DevicesCommand.members(chosen)
            members["revoked"] = true
            var lines = ["Device \(DevicesCommand.name(chosen)) is revoked. It can no longer log in."]
            if chosen.isCurrent { lines.append("It was this device. Its PIN and its backup codes no longer work.") }
            let next: Advice? =
                chosen.isCurrent
                ? Advice("To use this machine again", "recover")
                    .adding("Otherwise, delete its local data", "remove --local-only")
                : found.backupCodes > 0
                    ? Advice("If your backup codes were kept with that device, replace them", "backup-codes") : nil
            return Report(lines, members, next: next)
        }

        /// The device with this number, or the only one with this name. A revoked one counts only if there is no other.
        /// Invisible characters do not distinguish names, because a device chooses its name.
        private func choice(_ devices: [Device], _ identity: String) throws(CommandFailure) -> Device {
            if let numbered = devices.first(where: { String($0.number) == device }) { return numbered }
            let all = devices.filter { legible($0.name) == legible(device) }
            let valid = all.filter { $0.state != "REVOKED" }
            let named = valid.isEmpty ? all : valid
            if named.count == 1 { return named[0] }
            let isUnknown = named.isEmpty
            throw CommandFailure(
                .badInput, isUnknown ? "NO_SUCH_DEVICE" : "AMBIGUOUS_DEVICE",
                isUnknown ? "\(identity) has no device \(device)." : "\(named.count) devices have the name \(device).",
                advice: Advice("Revoke one by its number", "devices revoke NUMBER"),
                details: (isUnknown ? devices : named).map { candidate in
                    "Device \(DevicesCommand.name(candidate)): \(candidate.state), since \(candidate.created)"
                })
        }

        /// Asks for confirmation: once for another device, twice for the one in use.
        private func confirm(_ chosen: Device) throws(CommandFailure) {
            let name = DevicesCommand.name(chosen)
            try ask("Revoke device \(name)?", chosen, isGiven: yes >= 1)
            guard chosen.isCurrent else { return }
            try ask(
                "It is this device, which can no longer log in afterwards. Revoke it anyway?", chosen,
                isGiven: yes >= 2)
        }

        private func ask(_ question: String, _ chosen: Device, isGiven: Bool) throws(CommandFailure) {
            guard !isGiven else { return }
            try common.confirm(
                question, needed: "Device \(DevicesCommand.name(chosen)) was not revoked: confirmation is required.",
                chosen.isCurrent
                    ? "It is the device that you are using. To revoke it, add: --yes --yes"
                    : "To revoke it, add: --yes",
                refused: "Nothing was revoked.", Advice("List your devices", "devices list"))
        }
    }

    fileprivate struct Device {
        let number: Int
        let name: String
        let state: String
        let created: String
        let isCurrent: Bool
    }

    /// The devices, as a login has listed them.
    fileprivate struct Found {
        let user: RegistrationSummary
        let devices: [Device]
        let backupCodes: Int
        let lines: [String]

        init(_ target: TargetAccount, _ common: CommonOptions, _ dialog: PINDialog) throws(CommandFailure) {
            var answer = try target.logIn("devices", "", common, dialog)
            backupCodes = answer.values.number()
            devices = answer.values.items { fields in
                Device(
                    number: fields.number(), name: fields.text(), state: fields.text(), created: fields.text(),
                    isCurrent: fields.flag())
            }
            try answer.require()
            (user, lines) = (answer.registration, answer.lines)
        }
    }

    /// The number and the name, to follow the word "device".
    fileprivate static func name(_ device: Device) -> String {
        "\(device.number)" + (device.name.isEmpty ? "" : " (\(device.name))")
    }

    fileprivate static func members(_ device: Device) -> Members {
        [
            "number": device.number, "name": device.name, "state": device.state,
            "created": device.created, "current": device.isCurrent,
        ]
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import SystemFiles

/// The TPM of this host, which the server's account needs access to.
struct ServerTPM {
    /// The group of the device; nil for root's group, and if there is no device.
    private let group: String?
    private let path: String

    /// Reads the device from the settings in `/etc/mpin`.
    ///
    /// - Throws: ``ServerError`` for anything but a TPM device: root must not give the server access to other files.
    init() throws(ServerError) {
        let configuration = try ServerDirectory.readRootConfiguration()
        path = configuration.tpmPath ?? ""
        let device = path.hasPrefix("/dev/tpm") ? path.dropFirst("/dev/tpm".count) : ""
        let isNamed = !device.isEmpty && device.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 }
        let facts = FileFacts(of: path)
        guard isNamed, facts.map({ $0.kind == S_IFCHR }) ?? true else {
            throw ServerError(
                .configuration, "tpm_device = \(configuration.tpmDevice) is not a TPM of this host",
                hint: "Set a character device in /etc/mpin/server.conf: tpm_device = device:/dev/tpmrm0")
        }
        guard let facts, facts.group != 0, let entry = unsafe getgrgid(facts.group) else {
            group = nil
            return
        }
        group = unsafe String(cString: entry.pointee.gr_name)
    }

    /// Gives the server's account access, for the server and for the administrator's commands.
    func admit(_ account: String, _ steps: inout SetupSteps) throws(ServerError) {
        guard let group else { return }
        let groups = try SystemCommand("/usr/bin/id", "-Gn", account).run().output
        if groups.split(whereSeparator: \.isWhitespace).contains(Substring(group)) {
            return steps.note("group", "the account \(account) is in the group \(group), which can open \(path)")
        }
        let added = try SystemCommand("/usr/sbin/usermod", "--append", "--groups", group, account).run()
        guard added.status == 0 else {
            throw ServerError(.cannotCreate, "cannot add \(account) to the group \(group): \(added.reason)")
        }
        steps.done("group", "added the account \(account) to the group \(group), which can open \(path)")
    }

    /// Allows the unit access to the TPM, and to no other device.
    func open(to unit: String, _ steps: inout SetupSteps) throws(ServerError) {
        guard try SetupCommand.hasUnit() else { return }
        let directory = "/etc/systemd/system/\(unit).d"
        let file = directory + "/tpm.conf"
        let lines = [
            "# The TPM that the sealing key is sealed to; see mpin-server(8).", "[Service]", "PrivateDevices=no",
            "DevicePolicy=closed", "DeviceAllow=\(path) rw",
        ]
        let text = lines.joined(separator: "\n") + "\n"
        let found = SystemFile.load(file).map { String(decoding: $0, as: UTF8.self) }
        // A file that an administrator has written is not changed.
        if let found, found == text || !found.hasPrefix(lines[0]) {
            let known = found.contains(path)
            return steps.note(
                "tpm",
                known
                    ? "the unit can access \(path): \(file)"
                    : "\(file) exists and does not name \(path). It was not changed. Add the line:\n" + lines[4])
        }
        try SetupFile.make(directory: directory)
        try SetupFile.write(text, to: file, .replacing)
        try SystemCommand.reloadUnits(file)
        steps.done("tpm", "allowed the unit to access \(path): \(file)")
    }
}

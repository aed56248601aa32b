// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Foundation
import MPinServer
import MPinServerStorage

/// Shows the state of a server at a glance.
struct ServerStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether the server runs, its addresses, users and last backup.",
        discussion: "Example: sudo -u mpin mpin-server status")

    @OptionGroup(title: HelpText.common) var options: Options

    func run() throws {
        let status = try ServerStatus(options.administrator(), of: options.serverDirectory)
        options.output.succeed(lines(status).joined(separator: "\n"), members(status))
    }

    private func lines(_ status: ServerStatus) -> [String] {
        var lines: [String] = []
        if let process = status.process {
            lines.append("Running: process \(process)" + (status.start.map { ", since \($0.time.zulu)" } ?? ""))
            if let detail = status.start?.detail { lines.append("Program: \(detail)") }
            lines.append("Health: " + (status.fault.map { visible($0) } ?? "ok"))
        } else {
            lines.append("Running: no. Start it: sudo systemctl start mpin-server")
        }
        lines.append("Public address: " + (status.publicURL ?? "none; only this host can use the server"))
        if let days = status.certificateDays { lines.append("Certificate: valid for \(Int(days)) more days") }
        if let fingerprint = status.fingerprint { lines += ["Fingerprint of the server's key:", fingerprint] }
        let (usable, blocked) = status.devices
        let suspended = status.users.count { $0.suspended != nil }
        lines.append("Users: \(status.users.count), \(suspended) suspended")
        lines.append("Devices: \(usable) can log in, \(blocked) blocked")
        lines.append("Last backup: " + (status.lastBackup?.zulu ?? "none. Make one: \(options.line("backup FILE"))"))
        return lines
    }

    private func members(_ status: ServerStatus) -> [String: Any] {
        var members: [String: Any] = [
            "running": status.process != nil, "users": status.users.count, "devices": status.devices.usable,
            "blockedDevices": status.devices.blocked, "suspendedUsers": status.users.count { $0.suspended != nil },
        ]
        members["process"] = status.process.map { Int($0) }
        members["started"] = status.start?.time.zulu
        members["program"] = status.start?.detail
        members["fault"] = status.fault.map { visible($0) }
        members["publicURL"] = status.publicURL
        members["certificateDays"] = status.certificateDays
        members["fingerprint"] = status.fingerprint
        members["lastBackup"] = status.lastBackup?.zulu
        return members
    }
}

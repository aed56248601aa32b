// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Foundation
import MPinServer
import MPinServerStorage

struct ServerStatusCommand: DirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether the server runs, and its last backup.",
        discussion: "Example: sudo mpin-server status")

    @OptionGroup var options: Options

    func run() throws {
        let certificate = CertificateCheck(options)
        let directory = try options.serverDirectory, status: ServerStatus
        do throws(ServerError) { status = try ServerStatus(of: directory, configuration: options.config) } catch {
            guard error.kind == .configuration else { throw error }
            let process = ServerStatus.process(of: directory)
            throw CommandFailure(
                .configuration, error.kind.rawValue, error.message,
                advice: error.hint.isEmpty ? nil : Advice(error.hint),
                details: [
                    process.map { "The server runs as process \($0), with the settings that it read before." }
                        ?? "The server does not run."
                ])
        }
        try options.output.succeed(lines(status, certificate, .output).joined(separator: "\n"), members(status))
    }

    private func lines(_ status: ServerStatus, _ files: CertificateCheck, _ display: Display) -> [String] {
        var lines: [String] = []
        if let process = status.process {
            lines.append(
                "Running: process \(process)" + (status.start.map { ", since \(display.time($0.time.zulu))" } ?? ""))
            if let detail = status.start?.detail { lines.append("Started as: \(visible(detail))") }
        } else {
            let reason = options.failure.map { ", because it failed: \($0)" } ?? ""
            lines.append("Running: \(display.painted("no", .red))\(reason)")
            lines.append(options.startLine)
        }
        switch status.health {
        case nil: break
        case .good: lines.append("Health: \(display.painted("ok", .green))")
        case .faulty(let reason): lines.append("Health: \(display.painted(visible(reason), .red))")
        case .unknown:
            lines.append(
                "Health: \(display.painted("unknown", .yellow)), because the server runs without --status unix:PATH")
        }
        lines += status.clockFault.map { ["Clock: \(display.painted($0, .red))"] } ?? []
        lines.append("Public address: " + (status.publicURL.map(visible) ?? "none"))
        if status.isSelfSigned {
            lines.append("Certificate: signed and renewed by the server itself")
        } else if let days = status.certificateDays {
            lines.append("Certificate: " + (days < 0 ? display.painted("EXPIRED", .red) : "expires \(inDays(days))"))
        }
        lines += files.faults.map { "Certificate files: \(display.painted(visible($0.message), .red))" }
        if status.hasMetricsPort == false {
            lines.append(
                "Metrics: \(display.painted("the port of metrics_listen is not open", .red)). See the server's log.")
        }
        if let fingerprint = status.shortFingerprint { lines.append("Server's key: \(fingerprint)") }
        let (usable, blocked) = status.devices
        let suspended = status.users.count { $0.suspended != nil }
        lines.append("Users: \(status.users.count), \(suspended) suspended")
        let blockedText = "\(blocked) blocked"
        lines.append(
            "Devices: \(usable) can log in, " + (blocked > 0 ? display.painted(blockedText, .red) : blockedText))
        guard let database = status.database else {
            lines.append(
                "Last backup: "
                    + (status.lastBackup.map { display.time($0.zulu) }
                        ?? "\(display.painted("none", .yellow)). Make one: \(options.line("backup FILE"))"))
            return lines
        }
        let standbys = counted(database.standbys, "standby")
        lines.append(
            "Database: PostgreSQL \(visible(database.version)) on \(visible(database.primary ?? "")), \(standbys)"
                + (database.isSynchronous ? ", synchronous" : ""))
        lines += status.nodes.map { node in
            let state =
                node.isRunning
                ? "running since \(display.time(node.started.zulu)), clock \(node.clockText)"
                : node.stopped.map { "stopped \(display.time($0.zulu))" }
                    ?? display.painted("silent since \(display.time(node.seen.zulu))", .red)
            return "Node: \(visible(node.name)), version \(visible(node.version)), \(state)"
        }
        lines += (status.nodeWarnings + database.warnings).map { display.painted(visible($0), .yellow) }
        return lines
    }

    private func members(_ status: ServerStatus) -> Members {
        var members: Members = [
            "running": status.process != nil, "users": status.users.count, "devices": status.devices.usable,
            "blockedDevices": status.devices.blocked, "suspendedUsers": status.users.count { $0.suspended != nil },
        ]
        members["process"] = status.process.map { Int($0) }
        members["started"] = status.start?.time.zulu
        members["program"] = status.start?.detail
        if case .faulty(let reason) = status.health { members["fault"] = reason }
        if status.process == nil { members["failure"] = options.failure }
        members["publicURL"] = status.publicURL
        members["certificateDays"] = status.certificateDays
        members["metricsPortOpen"] = status.hasMetricsPort
        members["clockFault"] = status.clockFault
        members["fingerprint"] = status.fingerprint
        guard let database = status.database else {
            members["lastBackup"] = status.lastBackup?.zulu
            return members
        }
        let facts: Members = [
            "version": database.version, "primary": database.primary, "standbys": database.standbys,
            "synchronous": database.isSynchronous,
        ]
        members["database"] = facts
        members["nodes"] = status.nodes.map { node -> Members in
            var member: Members = [
                "name": node.name, "version": node.version, "running": node.isRunning, "started": node.started.zulu,
                "seen": node.seen.zulu, "clockErrorMilliseconds": Int(node.clockError),
            ]
            member["stopped"] = node.stopped?.zulu
            return member
        }
        members["warnings"] = status.nodeWarnings + database.warnings
        return members
    }
}

/// `in 3 days`
func inDays(_ days: Int) -> String { days == 0 ? "today" : "in " + counted(days, "day") }

struct FingerprintCommand: DirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "fingerprint", abstract: "Print the fingerprint of the server's key.",
        discussion: """
            Changes nothing, and works while the server runs. Give the fingerprint to administrators of devices, who \
            compare it.

            Example: sudo mpin-server fingerprint
            """)

    @OptionGroup var options: Options

    func run() throws {
        let fingerprint = try options.serverDirectory.fingerprint()
        try options.output.succeed(fingerprint, ["fingerprint": fingerprint])
    }
}

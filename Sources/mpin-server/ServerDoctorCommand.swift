// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage
import SystemFiles

/// Judges what `status` and `config check` know, and names the command that helps.
struct ServerDoctorCommand: DirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find problems of this server, and show the fixes.",
        discussion: """
            Exits with 1 if it finds a fault. Changes nothing.

            Example: sudo mpin-server doctor
            """)

    private enum Grade: String, CaseIterable {
        case ok, warning, fault

        var paint: Display.Paint {
            switch self {
            case .ok: .green
            case .warning: .yellow
            case .fault: .red
            }
        }
    }

    private struct Judgment {
        let grade: Grade
        let sentence: String
        var hint = ""
    }

    @OptionGroup var options: Options

    func run() throws {
        let certificate = CertificateCheck(options)
        let directory = try options.serverDirectory
        var faults = certificate.faults
        var findings: [Judgment] = []
        do throws(ServerError) {
            faults += try directory.configurationFaults(file: options.config)
            findings = faults.map { Judgment(grade: .fault, sentence: $0.message, hint: $0.hint) }
            if faults.isEmpty { findings = [Judgment(grade: .ok, sentence: "The settings are valid.")] }
            findings += judged(try ServerStatus(of: directory, configuration: options.config), certificate)
        } catch {
            // The settings decide how the state is read, so the other checks need them.
            findings = (faults.isEmpty ? [error] : faults).map {
                Judgment(grade: .fault, sentence: $0.message, hint: $0.hint)
            }
            if let process = ServerStatus.process(of: directory) {
                let sentence = "The server runs as process \(process), with the settings that it read before."
                findings.append(Judgment(grade: .ok, sentence: sentence))
            } else {
                // It cannot start before the settings are right.
                findings += failure.map { Judgment(grade: .fault, sentence: $0.sentence, hint: Self.log) }
            }
        }
        findings += clock
        let count = findings.count { $0.grade == .fault }
        try report(findings, faults: count).print(output)
        if count > 0 { MPinServerCommand.exit(.unclassified) }
    }

    private func report(_ findings: [Judgment], faults count: Int) -> Report {
        let display = Display.output
        let lines = findings.flatMap { finding in
            var lines = Display.wrapped(visible(finding.sentence), columns: display.columns, indentation: 9)
            let mark = finding.grade.rawValue
            lines[0] = mark + lines[0].dropFirst(mark.count)
            return lines
                + finding.hint.split(separator: "\n").flatMap {
                    Display.hint(String($0), columns: display.columns, indentation: 9)
                }
        }
        let checks = findings.map { finding -> Members in
            var check: Members = ["grade": finding.grade.rawValue, "message": finding.sentence]
            if !finding.hint.isEmpty { check["hint"] = finding.hint }
            return check
        }
        let warnings = findings.count { $0.grade == .warning }
        let counts = [(count, "fault"), (warnings, "warning")].filter { $0.0 > 0 }.map(counted)
        let summary = counts.isEmpty ? "No fault was found." : counts.joined(separator: ", ") + "."
        return Report(
            lines + [summary], ["checks": checks, "faults": count, "warnings": warnings],
            isAnswer: true,
            paints: Grade.allCases.map { ($0.rawValue, $0.paint) })
    }

    private func judged(_ status: ServerStatus, _ certificate: CertificateCheck) -> [Judgment] {
        var findings: [Judgment] = []
        if let process = status.process {
            let start = status.start.map { ", since \(Display.output.time($0.time.zulu))" } ?? ""
            findings.append(Judgment(grade: .ok, sentence: "The server runs as process \(process)\(start)."))
        } else {
            let reason = failure
            findings +=
                reason.isEmpty
                ? [Judgment(grade: .fault, sentence: "The server does not run.", hint: options.startLine)] : reason
        }
        switch status.health {
        case nil, .good: break
        case .unknown:
            findings.append(
                Judgment(grade: .warning, sentence: "The server runs without --status, so its health is unknown."))
        case .faulty(let reason):
            let reload = "If the certificate was repaired, run: sudo systemctl reload mpin-server\n"
            findings.append(
                Judgment(
                    grade: .fault, sentence: "A part does not work: \(reason)",
                    hint: (certificate.days == nil ? "" : reload) + Self.log))
        }
        findings += judged(certificate, served: status)
        if let fault = status.clockFault {
            let hint = "To end this sooner, revoke the devices that logged in meanwhile, and enroll them again."
            findings.append(Judgment(grade: .warning, sentence: sentence(fault), hint: hint))
        }
        if status.hasMetricsPort == false {
            findings.append(
                Judgment(grade: .warning, sentence: "The port of metrics_listen is not open.", hint: Self.log))
        }
        guard let database = status.database else {
            findings.append(judged(backup: status.lastBackup))
            return findings
        }
        let warnings = status.nodeWarnings + database.warnings
        findings += warnings.map { Judgment(grade: .warning, sentence: $0) }
        if database.warnings.isEmpty {
            let standbys = counted(database.standbys, "standby")
            findings.append(Judgment(grade: .ok, sentence: "The database has \(standbys), and commits wait for one."))
        }
        return findings
    }

    private func judged(_ files: CertificateCheck, served status: ServerStatus) -> [Judgment] {
        guard !status.isSelfSigned else {
            return [Judgment(grade: .ok, sentence: "The server signs and renews its certificate itself.")]
        }
        guard let days = status.certificateDays else { return [] }
        let renewal = "Renew it in its files, and then run: sudo systemctl reload mpin-server"
        if let renewed = files.days, renewed > days {
            return [
                Judgment(
                    grade: days < 0 ? .fault : .warning,
                    sentence: "The server still uses the certificate from before its renewal.",
                    hint: "Run: sudo systemctl reload mpin-server")
            ]
        }
        switch days {
        case ..<0: return [Judgment(grade: .fault, sentence: "The certificate has expired.", hint: renewal)]
        case ..<14:
            return [Judgment(grade: .warning, sentence: "The certificate expires \(inDays(days)).", hint: renewal)]
        default: return [Judgment(grade: .ok, sentence: "The certificate expires \(inDays(days)).")]
        }
    }

    private func sentence(_ fault: String) -> String { fault.prefix(1).uppercased() + fault.dropFirst() + "." }

    private func judged(backup: Timestamp?) -> Judgment {
        let hint = "Make one: \(options.line("backup FILE"))"
        guard let backup else { return Judgment(grade: .warning, sentence: "There is no backup.", hint: hint) }
        let days = (ServerClock.system.now.seconds - backup.seconds) / 86_400
        let sentence = "The last backup was made \(RelativeTime.text(of: backup.zulu))."
        return days < 30
            ? Judgment(grade: .ok, sentence: sentence)
            : Judgment(grade: .warning, sentence: sentence, hint: hint)
    }

    /// Why the server has failed; empty if it has not, or if that is unknown.
    private var failure: [Judgment] {
        options.failure.map {
            [Judgment(grade: .fault, sentence: "The server failed: \($0)", hint: options.startLine + "\n" + Self.log)]
        } ?? []
    }

    /// Clients whose clocks differ from the server's cannot log in.
    private var clock: [Judgment] {
        guard Systemd.isRunning,
            let shown = try? SystemCommand("/usr/bin/timedatectl", "show", "--property=NTPSynchronized", "--value")
                .run()
        else { return [] }
        switch shown.output.split(separator: "\n").first {
        case "yes": return [Judgment(grade: .ok, sentence: "The clock is synchronized.")]
        case "no":
            return [
                Judgment(
                    grade: .warning, sentence: "The clock is not synchronized.",
                    hint: "Fix it: sudo timedatectl set-ntp true")
            ]
        default: return []
        }
    }

    private static let log = "See: sudo journalctl -u mpin-server"
}
